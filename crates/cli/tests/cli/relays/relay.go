package main

import (
	"io"
	"os"
	"os/exec"
)

func main() {
	bot := exec.Command(os.Args[1], os.Args[2:]...)
	bot.Stderr = os.Stderr
	in, _ := bot.StdinPipe()
	out, _ := bot.StdoutPipe()
	if bot.Start() != nil {
		os.Exit(1)
	}
	go io.Copy(os.Stdout, out)
	io.Copy(in, os.Stdin)
	in.Close()
	bot.Wait()
}
