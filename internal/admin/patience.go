package admin

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// patient lifts the time limit for reading a request once it has been read:
// net/http gives up on whoever is not answered until then.
func patient(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		lift := func() error {
			err := http.NewResponseController(w).SetReadDeadline(time.Time{})
			if errors.Is(err, http.ErrNotSupported) {
				return nil // there is no connection that could have a limit
			}
			return err
		}
		if r.Body == nil || r.Body == http.NoBody {
			if err := lift(); err != nil {
				return // nobody waits: the connection has gone
			}
		} else {
			r.Body = &liftedBody{r.Body, lift}
		}
		next.ServeHTTP(w, r)
	})
}

// liftedBody calls lift at its end.
type liftedBody struct {
	io.ReadCloser
	lift func() error
}

func (b *liftedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		if lifted := b.lift(); lifted != nil {
			return n, lifted
		}
	}
	return n, err
}
