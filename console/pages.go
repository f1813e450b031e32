package console

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"
)

//go:embed all:ui/dist
var built embed.FS

//go:embed placeholder.html
var placeholder []byte

// The content codings in which the build stores the pages, best first, and the endings of their files. A file has either both or none.
var codings = []struct{ name, ending string }{{"br", ".br"}, {"gzip", ".gz"}}

// pageFile is a file of the pages.
type pageFile struct {
	tag      string // hash of the content
	kind     string // media type
	packed   bool   // stored in all codings, without the plain file
	constant bool   // its name changes with its content
}

// pages serves the pages built into dist, in the coding that a browser prefers. If they were not built, the entry page explains how they are
// built, and there are no others.
func pages(dist fs.FS) http.Handler {
	files, err := readPages(dist)
	if err != nil {
		panic("console: read the embedded pages: " + err.Error())
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		if name == "" {
			name = "index.html"
		}
		f, ok := files[name]
		switch {
		case ok:
			f.serve(w, r, dist, name)
		case r.URL.Path == "/":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write(placeholder)
		default:
			http.NotFound(w, r)
		}
	})
}

// readPages lists the files of dist by the names under which they are served.
func readPages(dist fs.FS) (map[string]pageFile, error) {
	files := map[string]pageFile{}
	err := fs.WalkDir(dist, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || name == ".keep" || strings.HasSuffix(name, ".br") {
			return err
		}
		data, err := fs.ReadFile(dist, name)
		if err != nil {
			return err
		}
		plain, packed := strings.CutSuffix(name, ".gz")
		kind := mime.TypeByExtension(path.Ext(plain))
		if kind == "" {
			kind = "application/octet-stream"
		}
		files[plain] = pageFile{fmt.Sprintf("%x", sha256.Sum256(data))[:16], kind, packed, strings.HasPrefix(plain, "assets/")}
		return nil
	})
	return files, err
}

// serve sends the file in the coding that the request prefers. Each coding has its own ETag, and ranges are ranges of its bytes.
func (f pageFile) serve(w http.ResponseWriter, r *http.Request, dist fs.FS, name string) {
	coding, ending := "", ""
	if f.packed {
		w.Header().Set("Vary", "Accept-Encoding")
		coding, ending = chooseCoding(r.Header.Values("Accept-Encoding"))
	}
	content, size, err := f.open(dist, name, ending)
	if err != nil {
		http.Error(w, "read "+name+": "+err.Error(), http.StatusInternalServerError)
		return
	}
	tag := f.tag
	if coding != "" {
		tag += "-" + coding
		w.Header().Set("Content-Encoding", coding)
		w.Header().Set("Content-Length", strconv.FormatInt(size, 10)) // which ServeContent sets for plain files only
	}
	w.Header().Set("ETag", `"`+tag+`"`)
	w.Header().Set("Content-Type", f.kind)
	if f.constant {
		w.Header().Set("Cache-Control", "private, max-age=31536000, immutable")
	}
	http.ServeContent(w, r, "", time.Time{}, content)
}

// open returns the file's content with an ending of [codings], or "" for the plain content.
func (f pageFile) open(dist fs.FS, name, ending string) (io.ReadSeeker, int64, error) {
	if f.packed && ending == "" {
		return unpack(dist, name+".gz")
	}
	file, err := dist.Open(name + ending)
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, 0, err
	}
	content, ok := file.(io.ReadSeeker)
	if !ok {
		return nil, 0, fmt.Errorf("%T cannot seek", file)
	}
	return content, info.Size(), nil
}

// unpack returns the content of a file stored with gzip, for the rare client that accepts no coding.
func unpack(dist fs.FS, name string) (io.ReadSeeker, int64, error) {
	file, err := dist.Open(name)
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	reader, err := gzip.NewReader(file)
	if err != nil {
		return nil, 0, err
	}
	data, err := io.ReadAll(reader)
	return bytes.NewReader(data), int64(len(data)), err
}

// chooseCoding returns the coding of [codings] with the greatest weight in the values of a header Accept-Encoding, the first of equals; "" for
// the plain content, which is also sent if the header accepts nothing (RFC 9110, 12.5.3).
func chooseCoding(header []string) (name, ending string) {
	weights := map[string]float64{}
	for element := range strings.SplitSeq(strings.Join(header, ","), ",") {
		coding, parameters, _ := strings.Cut(element, ";")
		coding = strings.ToLower(strings.TrimSpace(coding))
		if coding == "x-gzip" {
			coding = "gzip"
		}
		weights[coding] = weightOf(parameters)
	}
	weight := func(coding string) float64 {
		if q, ok := weights[coding]; ok {
			return q
		}
		return weights["*"]
	}
	best := weights["identity"] // if it is not named, any other coding that is accepted is better
	for _, c := range codings {
		if q := weight(c.name); q > 0 && (q > best || name == "" && q == best) {
			name, ending, best = c.name, c.ending, q
		}
	}
	return name, ending
}

// weightOf returns the weight q of an element of Accept-Encoding: 1 if it has none, 0 if it is no number from 0 to 1.
func weightOf(parameters string) float64 {
	key, value, found := strings.Cut(strings.TrimSpace(parameters), "=")
	if !found || !strings.EqualFold(strings.TrimSpace(key), "q") {
		return 1
	}
	q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || !(q >= 0 && q <= 1) {
		return 0
	}
	return q
}
