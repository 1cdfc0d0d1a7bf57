# A client that tells what it reaches besides its game.
import os, socket, sys
# QUINTAIN_PORT
door, other = int(os.environ['QUINTAIN_PORT']), int(sys.argv[1])
def connect(address, family=socket.AF_INET, kind=socket.SOCK_STREAM, protocol=0):
    client = socket.socket(family, kind, protocol)
    client.settimeout(5)
    client.connect(address)
def begin_with_a_message():
    socket.socket().sendto(b'x', 0x20000000, ('127.0.0.1', other))
def listen():
    server = socket.socket()
    server.bind(('127.0.0.1', 0))
    server.listen()
here = '127.0.0.1'
ways = {
    'game': lambda: connect((here, door)),
    'port': lambda: connect((here, other)),
    'mapped': lambda: connect(('::ffff:' + here, other), socket.AF_INET6),
    'mptcp': lambda: connect((here, other), protocol=262),
    'udp': lambda: connect((here, other), kind=socket.SOCK_DGRAM),
    'unix': lambda: connect('/run/socket', socket.AF_UNIX),
    'message': begin_with_a_message,
    'listen': listen,
    'unbound': lambda: socket.socket().listen(),
}
reached = []
for name, way in ways.items():
    try:
        way()
        reached.append(name)
    except ConnectionRefusedError:
        reached.append(name)
    except OSError:
        pass
print('reached:', *reached, 'and no more', file=sys.stderr)
