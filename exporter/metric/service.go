package metric

// OperatorActions are what people have done to a service, of whatever kind.
var OperatorActions = Desc{Name: "operator_actions_total", Type: Counter, Unit: "actions", Labels: []string{Service, Action},
	Help: "Actions of operators that have taken effect, by name; they show at the minute from which they work."}

// Services returns the metrics of a service of any kind.
func Services() []Desc { return []Desc{OperatorActions} }
