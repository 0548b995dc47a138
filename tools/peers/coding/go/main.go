// SPDX-License-Identifier: Apache-2.0

// Coding takes requests for coders written in Go, one goroutine on one thread. The requests and their answers are
// those of shredder-native/native/measure/coding_requests.h. klauspost-cauchy has the matrix of ISA-L; leopard is not
// compatible with it, and takes multiples of 64 bytes alone.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"unsafe"

	"github.com/klauspost/reedsolomon"
	"golang.org/x/sys/unix"
)

const (
	pageBytes    = 4096
	lineBytes    = 64
	staggerBytes = 2112
	javaBytes    = 16
)

// Those that end in avx2 are what CPUs get that have neither AVX-512 nor GFNI.
var (
	cauchy  = reedsolomon.WithCauchyMatrix()
	leopard = reedsolomon.WithLeopardGF(true)
	noWide  = reedsolomon.WithAVX512(false)
	noGfni  = reedsolomon.WithGFNI(false)
	noGfni2 = reedsolomon.WithAVXGFNI(false)
	coders  = map[string][]reedsolomon.Option{
		"klauspost-cauchy":      {cauchy},
		"klauspost-cauchy-avx2": {cauchy, noWide, noGfni, noGfni2},
		"leopard":               {leopard},
		"leopard-avx2":          {leopard, noWide, noGfni, noGfni2},
	}
)

func threadCPUSeconds() float64 {
	var time unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &time); err != nil {
		panic(err)
	}
	return float64(time.Nano()) / 1e9
}

func newCoder(name string, data, parity int) (reedsolomon.Encoder, error) {
	options, ok := coders[name]
	if !ok {
		return nil, fmt.Errorf("no coder '%s'", name)
	}
	return reedsolomon.New(data, parity, append([]reedsolomon.Option{reedsolomon.WithMaxGoroutines(1)}, options...)...)
}

// cells are stripes of memory that the collector does not know.
type cells struct {
	key     string
	memory  []byte
	stripes [][][]byte
}

var last cells

func cellsOf(shards, bytes, stripes int, place string) ([][][]byte, error) {
	if place != "staggered" && place != "java" {
		return nil, fmt.Errorf("no place '%s': use staggered or java", place)
	}
	key := fmt.Sprint(shards, bytes, stripes, place)
	if last.key == key {
		return last.stripes, nil
	}
	if last.memory != nil {
		if err := unix.Munmap(last.memory); err != nil {
			return nil, err
		}
		last = cells{}
	}
	stride := (bytes + 2*pageBytes) / pageBytes * pageBytes
	memory, err := unix.Mmap(-1, 0, shards*stripes*stride, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, err
	}
	for i := range memory {
		memory[i] = byte(i)
	}
	all := make([][][]byte, stripes)
	for i := 0; i < shards*stripes; i++ {
		inPage := javaBytes
		if place == "staggered" {
			inPage = staggerBytes * i % pageBytes
		}
		begin := i*stride + inPage
		all[i/shards] = append(all[i/shards], memory[begin:begin+bytes:begin+bytes])
	}
	last = cells{key, memory, all}
	return all, nil
}

func rate(name string, data, parity, bytes, stripes int, place string, milliseconds int) (string, error) {
	coder, err := newCoder(name, data, parity)
	if err != nil {
		return "", err
	}
	all, err := cellsOf(data+parity, bytes, stripes, place)
	if err != nil {
		return "", err
	}
	goal := float64(milliseconds) / 1e3
	at := 0
	// What comes before the last batch warms up.
	for count := 1; ; count *= 2 {
		begin := threadCPUSeconds()
		for i := 0; i < count; i++ {
			if err := coder.Encode(all[at]); err != nil {
				return "", err
			}
			at = (at + 1) % stripes
		}
		if taken := threadCPUSeconds() - begin; taken >= goal/2 {
			return fmt.Sprintf("%.6g", float64(count*data*bytes)/taken/1e9), nil
		}
	}
}

func digest(name string, data, parity, bytes, offset, step int, seed uint64) (string, error) {
	coder, err := newCoder(name, data, parity)
	if err != nil {
		return "", err
	}
	stride := (bytes + 2*lineBytes) / lineBytes * lineBytes
	memory := make([]byte, (data+parity)*stride+lineBytes)
	first := int(-uintptr(unsafe.Pointer(&memory[0])) % lineBytes)
	shards := make([][]byte, data+parity)
	for i := range shards {
		begin := first + i*stride + (offset+step*i)%lineBytes
		shards[i] = memory[begin : begin+bytes : begin+bytes]
		state := seed + uint64(i)*0x9e3779b97f4a7c15
		for b := 0; i < data && b < bytes; b++ {
			state = state*6364136223846793005 + 1442695040888963407
			shards[i][b] = byte(state >> 56)
		}
	}
	if err := coder.Encode(shards); err != nil {
		return "", err
	}
	hash := uint64(0xcbf29ce484222325)
	for _, shard := range shards[data:] {
		for _, b := range shard {
			hash = (hash ^ uint64(b)) * 0x100000001b3
		}
	}
	return fmt.Sprintf("%016x", hash), nil
}

func answer(words []string) (string, error) {
	if len(words) == 1 && words[0] == "names" {
		return "klauspost-cauchy klauspost-cauchy-avx2 leopard leopard-avx2", nil
	}
	if len(words) != 8 {
		return "", errors.New("a request has eight words, or is names")
	}
	numbers := make([]uint64, len(words))
	for i := 2; i < len(words); i++ {
		if words[0] == "rate" && i == 6 {
			continue
		}
		value, err := strconv.ParseUint(words[i], 10, 64)
		if err != nil {
			return "", fmt.Errorf("'%s' is not a number", words[i])
		}
		numbers[i] = value
	}
	data, parity, bytes, fifth := int(numbers[2]), int(numbers[3]), int(numbers[4]), int(numbers[5])
	switch words[0] {
	case "rate":
		return rate(words[1], data, parity, bytes, fifth, words[6], int(numbers[7]))
	case "digest":
		return digest(words[1], data, parity, bytes, fifth, int(numbers[6]), numbers[7])
	}
	return "", fmt.Errorf("no request '%s': use names, rate or digest", words[0])
}

func main() {
	runtime.LockOSThread()
	// A collection would run on other threads, whose time is not counted: let there be few.
	debug.SetGCPercent(400)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		text, err := answer(strings.Fields(lines.Text()))
		if err != nil {
			text = "error: " + err.Error()
		}
		fmt.Println(text)
	}
}
