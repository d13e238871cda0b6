package series

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/firedrill/firedrill/exporter/metric"
	"github.com/firedrill/firedrill/simulator"
)

// layout says where everything is in the frames that share it. It is never
// changed: where a target comes, goes or changes, the next frame has another.
type layout struct {
	slots    []slot // in the order of writing
	places   map[Labels]int
	families []family // by name
}

// slot is where a target is.
type slot struct {
	id         int    // the smallest that was free when the target came
	generation uint32 // how many targets have had the id
	born       simulator.Tick
	list       *list
	values     int // where its values begin
	histograms int // where its histograms begin
}

// family is where the series of one metric are.
type family struct {
	desc   *metric.Desc
	header []byte
	parts  []part
}

// part are the series of one metric of one target: list.series[from:to].
type part struct {
	slot     int // place in the layout
	from, to int
}

// newLayout places the targets, whose slots have all but the places.
func newLayout(slots []slot) *layout {
	l := &layout{slots: slots, places: make(map[Labels]int, len(slots))}
	values, histograms := 0, 0
	for i := range slots {
		s := &slots[i]
		s.values, s.histograms = values, histograms
		values += len(s.list.series) - s.list.histograms
		histograms += s.list.histograms
		if _, twice := l.places[s.list.target]; twice {
			panic(fmt.Sprintf("series: the target %+v is written twice in one update", s.list.target))
		}
		l.places[s.list.target] = i
	}
	l.families = families(slots)
	return l
}

func families(slots []slot) []family {
	var all []family
	places := map[*metric.Desc]int{}
	for i, s := range slots {
		for _, b := range s.list.families {
			at, known := places[b.desc]
			if !known {
				at = len(all)
				places[b.desc] = at
				all = append(all, family{desc: b.desc, header: b.header})
			}
			all[at].parts = append(all[at].parts, part{slot: i, from: b.from, to: b.to})
		}
	}
	slices.SortFunc(all, func(a, b family) int { return cmp.Compare(a.desc.Name, b.desc.Name) })
	return all
}

// same reports whether the slots are those of the layout.
func (l *layout) same(slots []slot) bool {
	return l != nil && slices.EqualFunc(l.slots, slots, func(a, b slot) bool { return a.list == b.list })
}

// find returns the place of a target, looking at the place guess first.
func (l *layout) find(labels Labels, guess int) (int, bool) {
	if l == nil {
		return 0, false
	}
	if guess < len(l.slots) && l.slots[guess].list.target == labels {
		return guess, true
	}
	at, known := l.places[labels]
	return at, known
}
