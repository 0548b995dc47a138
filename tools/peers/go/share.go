// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/bits"
	"os"

	restic "github.com/restic/chunker"
)

type shareRow struct {
	Name        string `json:"name"`
	Average     uint64 `json:"average"`
	Bytes       int    `json:"bytes"`
	Chunks      int    `json:"chunks"`
	SharedBytes int    `json:"sharedBytes"`
}

// eachChunk calls visit with every chunk of data that restic's chunker cuts.
func eachChunk(data []byte, s sizes, visit func(chunk []byte)) error {
	c := restic.NewWithBoundaries(bytes.NewReader(data), resticPolynomial, uint(s.min), uint(s.max))
	c.SetAverageBits(bits.TrailingZeros64(s.average))
	buffer := make([]byte, s.max)
	for {
		chunk, err := c.Next(buffer)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		visit(chunk.Data)
	}
}

// share prints how many of a later file's bytes lie in chunks that an earlier file has, too.
func share(words []string) error {
	if len(words) != 5 {
		return errors.New("usage: peers share EARLIER LATER AVERAGE MIN MAX")
	}
	n, err := numbers(words[2:])
	if err != nil {
		return err
	}
	s := sizes{average: n[0], min: n[1], max: n[2]}
	earlier, err := read(words[0], math.MaxInt64)
	if err != nil {
		return err
	}
	later, err := read(words[1], math.MaxInt64)
	if err != nil {
		return err
	}
	known := map[[sha256.Size]byte]bool{}
	if err := eachChunk(earlier, s, func(chunk []byte) { known[sha256.Sum256(chunk)] = true }); err != nil {
		return err
	}
	row := shareRow{Name: "go-restic-chunker", Average: s.average, Bytes: len(later)}
	err = eachChunk(later, s, func(chunk []byte) {
		row.Chunks++
		if known[sha256.Sum256(chunk)] {
			row.SharedBytes += len(chunk)
		}
	})
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(row)
}
