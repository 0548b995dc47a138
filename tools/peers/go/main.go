// SPDX-License-Identifier: Apache-2.0

// Peers times chunkers written in Go on a file held in memory, on one thread by its CPU time. One line of JSON each:
//
//	peers FILE BYTES AVERAGE MIN MAX ROUNDS
//	peers share EARLIER LATER AVERAGE MIN MAX
//
// The second form tells what two files share by restic's chunks.
// AVERAGE, MIN and MAX in bytes, AVERAGE a power of two; MIN 0 means no limits: the least and the most that every
// chunker takes. Rounds go in turn, so that what else the machine does falls on everybody.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"os"
	"runtime"
	"strconv"

	"github.com/folbricht/desync"
	fastcdc "github.com/jotfs/fastcdc-go"
	restic "github.com/restic/chunker"
	"golang.org/x/sys/unix"
)

const (
	leastMin = 64
	mostMax  = 16 << 20
	// The polynomial of restic's own tests.
	resticPolynomial = restic.Pol(0x3DA3358B4DC173)
)

type sizes struct{ average, min, max uint64 }

// A peer cuts the bytes and returns how many chunks there are.
type peer struct {
	name string
	cut  func(data []byte, s sizes) (int, error)
}

var peers = []peer{{"go-restic-chunker", cutRestic}, {"go-jotfs-fastcdc", cutFastcdc}, {"go-desync", cutDesync}}

// count calls next until it ends.
func count(next func() error) (int, error) {
	for chunks := 0; ; chunks++ {
		if err := next(); errors.Is(err, io.EOF) {
			return chunks, nil
		} else if err != nil {
			return 0, err
		}
	}
}

func cutRestic(data []byte, s sizes) (int, error) {
	c := restic.NewWithBoundaries(bytes.NewReader(data), resticPolynomial, uint(s.min), uint(s.max))
	c.SetAverageBits(bits.TrailingZeros64(s.average))
	buffer := make([]byte, s.max)
	return count(func() error {
		_, err := c.Next(buffer)
		return err
	})
}

func cutFastcdc(data []byte, s sizes) (int, error) {
	options := fastcdc.Options{MinSize: int(s.min), AverageSize: int(s.average), MaxSize: int(s.max)}
	c, err := fastcdc.NewChunker(bytes.NewReader(data), options)
	if err != nil {
		return 0, err
	}
	return count(func() error {
		_, err := c.Next()
		return err
	})
}

func cutDesync(data []byte, s sizes) (int, error) {
	c, err := desync.NewChunker(bytes.NewReader(data), s.min, s.average, s.max)
	if err != nil {
		return 0, err
	}
	return count(func() error {
		_, chunk, err := c.Next()
		if err == nil && len(chunk) == 0 {
			return io.EOF
		}
		return err
	})
}

func threadCPUSeconds() float64 {
	var time unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &time); err != nil {
		panic(err)
	}
	return float64(time.Nano()) / 1e9
}

func read(path string, most uint64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, int64(most)))
}

func numbers(words []string) ([]uint64, error) {
	values := make([]uint64, len(words))
	for i, word := range words {
		value, err := strconv.ParseUint(word, 10, 62)
		if err != nil {
			return nil, fmt.Errorf("'%s' is not a number", word)
		}
		values[i] = value
	}
	return values, nil
}

type row struct {
	Name         string    `json:"name"`
	Bytes        int       `json:"bytes"`
	Average      uint64    `json:"average"`
	Chunks       int       `json:"chunks"`
	RoundSeconds []float64 `json:"roundSeconds"`
}

func measure(data []byte, s sizes, rounds uint64) ([]row, error) {
	rows := make([]row, len(peers))
	for round := uint64(0); round < rounds; round++ {
		for i, peer := range peers {
			begin := threadCPUSeconds()
			chunks, err := peer.cut(data, s)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", peer.name, err)
			}
			seconds := append(rows[i].RoundSeconds, threadCPUSeconds()-begin)
			rows[i] = row{peer.name, len(data), s.average, chunks, seconds}
		}
	}
	return rows, nil
}

func run(words []string) error {
	if len(words) > 0 && words[0] == "share" {
		return share(words[1:])
	}
	if len(words) != 6 {
		return errors.New("usage: peers FILE BYTES AVERAGE MIN MAX ROUNDS")
	}
	n, err := numbers(words[1:])
	if err != nil {
		return err
	}
	data, err := read(words[0], n[0])
	if err != nil {
		return err
	}
	s := sizes{average: n[1], min: n[2], max: n[3]}
	if s.min == 0 {
		s.min, s.max = leastMin, mostMax
	}
	rows, err := measure(data, s, n[4])
	if err != nil {
		return err
	}
	output := json.NewEncoder(os.Stdout)
	for _, row := range rows {
		if err := output.Encode(row); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	runtime.LockOSThread()
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(2)
	}
}
