package api

import (
	"errors"

	"github.com/prometheus/prometheus/promql/parser"
)

// formatQuery answers with the query as Prometheus lays it out.
func (r *request) formatQuery() result {
	expr, err := r.api.parser.ParseExpr(r.FormValue("query"))
	if err != nil {
		return invalid("query", err)
	}
	return result{data: expr.Pretty(0)}
}

// parseQuery answers with the tree of the query.
func (r *request) parseQuery() result {
	expr, err := r.api.parser.ParseExpr(r.FormValue("query"))
	if err != nil {
		return invalid("query", err)
	}
	return result{data: tree(expr)}
}

// queryExemplars answers that there are no exemplars: the store keeps none.
func (r *request) queryExemplars() result {
	start, err := r.optionalTime("start", minTime)
	if err != nil {
		return invalid("start", err)
	}
	end, err := r.optionalTime("end", maxTime)
	if err != nil {
		return invalid("end", err)
	}
	if end.Before(start) {
		return failed(badData, errors.New("end timestamp must not be before start timestamp"))
	}
	expr, err := r.api.parser.ParseExpr(r.FormValue("query"))
	if err != nil {
		return failed(badData, err)
	}
	if len(parser.ExtractSelectors(expr)) == 0 {
		return result{}
	}
	return result{data: []any{}}
}
