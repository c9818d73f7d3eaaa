module graphwarden.invalid/tools/crds

go 1.26.0

require (
	github.com/grafana/grafana-operator/v5 v5.18.0
	github.com/prometheus-operator/prometheus-operator v0.85.0
	k8s.io/autoscaler/vertical-pod-autoscaler v1.8.1
	sigs.k8s.io/gateway-api v1.4.0
)
