const { spawn } = require('child_process');
const bot = spawn(process.argv[2], process.argv.slice(3), { stdio: ['pipe', 'pipe', 'inherit'] });
process.stdin.pipe(bot.stdin);
bot.stdout.pipe(process.stdout);
