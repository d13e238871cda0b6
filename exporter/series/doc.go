// Package series is the table of all series that the simulator shows: one
// writer, many readers.
//
// # Writing
//
// The writer goes through all targets at each update and writes every series
// of each in the same order:
//
//	u := table.Begin(moment)
//	u.Target(series.Labels{…}, series.Status{Listed: true, Answers: true})
//	u.Set(&metric.HTTPRequests, 17, "high", "200")
//	u.SetHistogram(&metric.HTTPRequestDuration, latencies)
//	u.Commit()
//
// The table remembers what was written where. While an update names the same
// targets and series as the one before, it only stores values: labels are
// resolved, sorted and rendered once, when a series appears. A target that
// changes gets a new list of series, the others keep theirs; a list is never
// changed.
//
// # Reading
//
// A reader takes the current Frame: the values of one update, whole, which
// nobody changes until the reader releases it. Frames are counted and used
// again; while a slow reader holds one, the writer takes another, so that
// neither it nor any other reader waits.
//
// A frame is read as text (AppendText), as protobuf messages for promhttp
// (Gather) or sample by sample (Targets and Samples); all show the same. The
// first two exist of a single target too, without the labels that discovery
// gives it.
//
// # Targets
//
// A target has a slot, a small number that is used again after it has left,
// with another generation. A reader that keeps something of a target's series
// keeps it by slot and looks it up again when the epoch is another.
package series
