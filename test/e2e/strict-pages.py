"""Parses pages with the strict OpenMetrics parser of prometheus_client: one JSON string per line, one result per line."""

import json
import sys

from prometheus_client.openmetrics.parser import text_string_to_metric_families

for line in sys.stdin:
    try:
        samples = sum(len(family.samples) for family in text_string_to_metric_families(json.loads(line)))
        print(json.dumps({'samples': samples}))
    except Exception as error:
        print(json.dumps({'samples': 0, 'error': f'{type(error).__name__}: {error}'}))
