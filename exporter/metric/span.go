package metric

import (
	"strconv"
	"strings"
	"time"
)

const day = 24 * time.Hour

// units of Prometheus' spans, the longest first. Weeks and years are left out:
// 30d is what people call a month.
var units = []struct {
	length time.Duration
	name   string
}{{day, "d"}, {time.Hour, "h"}, {time.Minute, "m"}, {time.Second, "s"}, {time.Millisecond, "ms"}}

// Span writes a span of whole milliseconds as Prometheus reads it: 5m, 1m30s,
// 1h, 3d, 83ms.
func Span(d time.Duration) string {
	if d < time.Millisecond {
		return "0s"
	}
	var b strings.Builder
	for _, u := range units {
		if n := d / u.length; n > 0 {
			b.WriteString(strconv.FormatInt(int64(n), 10) + u.name)
			d -= n * u.length
		}
	}
	return b.String()
}
