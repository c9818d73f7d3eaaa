"""Makes calls of pyTigerGraph to a simulated node and prints the result of each as JSON.

Arguments: URL of the node, graph, release of the server, secret (optional).
"""

import inspect
import json
import sys
from importlib.metadata import version
from urllib.parse import urlsplit

from pyTigerGraph import TigerGraphConnection

url, graph, release, *secret = sys.argv[1:]
legacy = release.startswith('3.')


def connect(**options):
    address = urlsplit(url)
    # With two different ports, the client uses the paths of 3.x.
    ports = {'restppPort': address.port, 'gsPort': 1} if legacy else {'restppPort': address.port, 'gsPort': address.port}
    return TigerGraphConnection(host=f'http://{address.hostname}', graphname=graph, **ports, **options)


connection = connect(gsqlSecret=secret[0]) if secret else connect()


def echo():
    return [connection.echo(), connection.echo(usePost=True)] == ['Hello GSQL'] * 2


def get_version():
    rows = connection.getVersion()
    return rows[0]['name'] == 'product' and all(len(row['hash']) == 40 for row in rows)


def get_ver():
    return [connection.getVer(), connection.getVer('gpe')] == [release, release]


def get_system_metrics():
    members = {'cpu': 'CPUMemoryMetrics', 'mem': 'CPUMemoryMetrics', 'diskspace': 'DiskMetrics', 'network': 'NetworkMetrics', 'qps': 'QPSMetrics'}
    return all(len(connection.getSystemMetrics(what=what, latest=1)[member]) > 0 for what, member in members.items())


def get_service_status():
    events = connection.getServiceStatus({'ServiceDescriptors': [{'ServiceName': 'gpe'}]})['ServiceStatusEvents']
    return events[0]['ServiceStatus'] == 'Online'


def is_performance(statistics):
    return len(statistics) > 0 and all('CompletedRequests' in row for row in statistics.values())


def installed_query():
    return connection.getInstalledQueries('list')[0]


def start_detached():
    return connection.runInstalledQuery(installed_query(), 'runs_for=600000', timeout=900000, runAsync=True)


def run_installed_query():
    name = installed_query()
    results = [connection.runInstalledQuery(name, 'runs_for=10'), connection.runInstalledQuery(name, {'depth': 2})]
    return all(result[0]['query'] == name for result in results)


def check_query_status():
    request = start_detached()
    return connection.checkQueryStatus(request)[0]['requestid'] == request and len(connection.checkQueryStatus()) > 0


def get_query_result():
    request = connection.runInstalledQuery(installed_query(), 'runs_for=1', runAsync=True)
    while connection.checkQueryStatus(request)[0]['status'] == 'running':
        pass
    return len(connection.getQueryResult(request)) > 0


def get_running_queries():
    request = start_detached()
    return request in [row['requestid'] for row in connection.getRunningQueries()['results']]


def abort_query():
    request = start_detached()
    [result] = connection.abortQuery(request)['results']
    nothing = connection.abortQuery(request)['results']
    return result['aborted_queries'][0]['requestid'] == request and nothing == [{'aborted_queries': []}]


def get_token():
    return connection.getToken(secret[0], lifetime=3600)[0].count('.') == 2


calls = {
    'echo': echo,
    'getVersion': get_version,
    'getVer': get_ver,
    'getLicenseInfo': lambda: connection.getLicenseInfo()['daysRemaining'] > 0,
    'runInstalledQuery': run_installed_query,
    'getRunningQueries': get_running_queries,
    'checkQueryStatus': check_query_status,
    'getQueryResult': get_query_result,
    'abortQuery': abort_query,
    'getQueryPerformance': lambda: is_performance(connection.getQueryPerformance(60)),
    'getEndpoints': lambda: 'GET /version' in connection.getEndpoints(builtin=True),
    'getInstalledQueries': lambda: len(connection.getInstalledQueries()) > 0,
}
gateway_calls = {
    'ping': lambda: connection.ping()['message'] == 'pong',
    'getSystemMetrics': get_system_metrics,
    'getServiceStatus': get_service_status,
    'listGraphs': lambda: graph in [row['graphName'] for row in connection.listGraphs()],
    'listQueryNames': lambda: installed_query() in connection.listQueryNames(),
}


def result_of(call):
    try:
        return 'passed' if call() else 'wrong result'
    except Exception as error:
        return f'{type(error).__name__}: {error}'


if not legacy:
    calls |= gateway_calls
if secret:
    calls['getToken'] = get_token
results = {name: result_of(call) for name, call in calls.items()}
public = [name for name, value in inspect.getmembers(TigerGraphConnection) if callable(value) and not name.startswith('_')]
print(json.dumps({'version': version('pyTigerGraph'), 'public': public, 'results': results}))
