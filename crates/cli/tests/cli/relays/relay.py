import subprocess, sys, threading

bot = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def back():
    for line in bot.stdout:
        sys.stdout.buffer.write(line)
        sys.stdout.flush()


threading.Thread(target=back).start()
for line in sys.stdin.buffer:
    bot.stdin.write(line)
    bot.stdin.flush()
bot.stdin.close()
