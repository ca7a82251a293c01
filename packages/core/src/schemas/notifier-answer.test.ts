import { expect, test } from 'vitest'
import { failureIn } from './notifier-answer.ts'

const request = (url: string, body = '{}') => ({ method: 'POST', url, headers: {}, body })

test.each([
  ['https://oapi.dingtalk.com/robot/send', '{"errcode":310000,"errmsg":"keywords not in content"}', 'errcode 310000'],
  ['https://qyapi.weixin.qq.com/cgi-bin/webhook/send', '{"errcode":0,"errmsg":"ok"}', null],
  ['https://relay.example/x', '{"errcode":"93000"}', 'errcode 93000'],
  ['https://api.telegram.org/bot1/sendMessage', '{"ok":false,"error_code":400}', 'ok false'],
  ['https://api.telegram.org/bot1/sendMessage', '{"ok":true,"result":{}}', null],
  ['https://open.feishu.cn/open-apis/bot/v2/hook/1', '{"code":19024,"msg":"Key Words Not Found"}', 'code 19024'],
  ['https://open.larksuite.com/open-apis/bot/v2/hook/1', '{"code":0,"msg":"success"}', null],
  ['https://sctapi.ftqq.com/KEY.send', '{"code":40001}', 'code 40001'],
  ['https://api.day.app/KEY/x', '{"code":200,"message":"success"}', null],
  ['https://api.day.app/KEY/x', '{"code":400,"message":"failed"}', 'code 400'],
  ['https://wxpusher.zjiecheng.com/api/send/message', '{"code":1000}', null],
  ['https://wxpusher.zjiecheng.com/api/send/message', '{"code":1001}', 'code 1001'],
  ['https://own.example/hook', '{"code":1}', null],
  ['https://own.example/hook', 'ok', null],
  ['https://own.example/hook', 'null', null],
  ['https://own.example/hook', '', null],
])('issue 36.38 %s answering %s says %s', (url, answer, failure) => {
  expect(failureIn(request(url), answer)).toBe(failure)
})

test('issue 36.38 a body of Feishu’s is known behind any host', () => {
  const feishu = request('http://127.0.0.1:9/in', '{"msg_type":"text","content":{"text":"x"}}')
  expect(failureIn(feishu, '{"code":9499,"msg":"Bad Request"}')).toBe('code 9499')
})
