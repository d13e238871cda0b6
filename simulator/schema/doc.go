// Package schema describes the values that people give to firedrill: the
// configuration of a service, the arguments of an action, the keys of a
// scenario.
//
// A Spec names one value, its kind, its unit and its domain. The same table of
// specs decodes YAML, JSON, and key=value words of a command line, produces the
// help of the command line and of the HTTP API, and words every refusal the
// same way: which field, which value, what is allowed, and the nearest name
// where a name is wrong.
package schema
