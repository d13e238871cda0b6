// Package slofile reads the service level objectives that people write for
// services of their own:
//
//	slos:
//	  - name: checkout-errors
//	    service: checkout
//	    objective: 0.999
//	    errors: http_requests_total{job="checkout",code=~"5.."}
//	    total: http_requests_total{job="checkout"}
//	  - name: checkout-latency
//	    service: checkout
//	    objective: 0.99
//	    histogram: http_request_duration_seconds{job="checkout"}
//	    threshold: 0.5
//
// It is strict and reports everything that is wrong with a file at once, with
// file, line and field.
package slofile
