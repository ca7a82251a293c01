import { IOStreamData } from '@qd/protocol/agent'
import { taskType } from '@qd/protocol/task-types'
import type { SimulatedAgent } from '../support/peers/simulated-agent.ts'

const prompt = '\u001b[32mdeploy@web-3\u001b[0m:\u001b[34m~\u001b[0m$ '

/** What stands on the mock's screen, in the colours that programs use. */
const lines = [
  `${prompt}systemctl status nginx --no-pager`,
  '\u001b[32m●\u001b[0m nginx.service - A high performance web server',
  '     Loaded: loaded (/lib/systemd/system/nginx.service; \u001b[32menabled\u001b[0m)',
  '     Active: \u001b[32mactive (running)\u001b[0m since Thu 2026-10-29 10:12:44 UTC; 22 days ago',
  '   Main PID: 812 (nginx)',
  '      Tasks: 9 (limit: 18945)',
  '     Memory: 214.6M',
  '        CPU: 4h 12min 8.203s',
  '',
  '\u001b[90mNov 20 14:28:02 web-3 nginx[812]:\u001b[0m \u001b[33m[warn]\u001b[0m 8192 worker_connections are not enough',
  '\u001b[90mNov 20 14:28:31 web-3 nginx[812]:\u001b[0m \u001b[31m[error]\u001b[0m upstream timed out (110) while reading',
  `${prompt}uptime`,
  ' 14:31:58 up 22 days,  4:19,  1 user,  load average: \u001b[31m7.41\u001b[0m, 5.92, 4.10',
  `${prompt}ls --color /srv`,
  '\u001b[34mapp\u001b[0m  \u001b[34mbackup\u001b[0m  \u001b[34mreleases\u001b[0m  \u001b[36mcurrent\u001b[0m  deploy.sh  \u001b[35mmotd.png\u001b[0m',
  prompt,
]

/** Answers the next request for a shell with the mock's screen. */
export async function answerShell(agent: SimulatedAgent): Promise<void> {
  for (;;) {
    const task = await agent.nextTask(10_000)
    if (task.type !== taskType.terminal) continue
    agent.attach(task).send(IOStreamData.encode({ data: Buffer.from(lines.join('\r\n')) }).finish())
    return
  }
}
