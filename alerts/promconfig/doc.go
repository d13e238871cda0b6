// Package promconfig reads of a prometheus.yml what concerns rules: how often to
// scrape and to evaluate, the labels of this Prometheus, and where rule files
// are.
//
// The rest of a configuration, where targets are found and where alerts and
// samples go, is accepted and means nothing here. Names that Prometheus does not
// know are refused at the top and under global, where an unseen typo would change
// what rules do.
package promconfig
