# Writes where nobody can look: in a folder that it closes, in one that is too deep, or files that have no size.
import os, sys, time
def write(folder):
    return [open(f'{folder}/{number}', 'wb') for number in range(8)]
def close():
    os.mkdir('closed')
    files = write('closed')
    os.chmod('closed', 0)
    return files
def dig():
    for _ in range(30):
        os.mkdir('x' * 200)
        os.chdir('x' * 200)
    return write('.')
def crowd():
    for number in range(20000):
        open(str(number), 'wb').close()
    return []
files = {'close': close, 'dig': dig, 'crowd': crowd}[sys.argv[1]]()
for file in files:
    file.write(b'x' * (8 << 20))
    file.flush()
for line in sys.stdin:
    time.sleep(0.1)
    print(f'C;{line.strip()};ACCELERATE', flush=True)
