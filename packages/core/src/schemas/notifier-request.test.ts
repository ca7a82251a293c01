import { describe, expect, test } from 'vitest'
import { failureIn, fillRequest, type RequestTemplate, templateProblems } from './notifier-request.ts'

const template: RequestTemplate = {
  url: 'https://example.com/send?text=#NEZHA#',
  request_method: 2,
  request_type: 1,
  request_header: '',
  request_body: '{"text":"#NEZHA#"}',
}
const requestOf = (more: Partial<RequestTemplate>, message = 'a "b" & c') =>
  fillRequest({ ...template, ...more }, { message, at: 0, timeZone: 'UTC', server: null, units: false })

describe('the request of a message', () => {
  test.each([
    [1, 'GET'],
    [2, 'POST'],
    [3, 'PATCH'],
    [4, 'DELETE'],
    [5, 'PUT'],
  ])('method %d is %s', (request_method, method) => {
    expect(requestOf({ request_method }).method).toBe(method)
  })

  test('GET has neither body nor type', () => {
    expect(requestOf({ request_method: 1 })).toEqual({
      method: 'GET',
      url: 'https://example.com/send?text=a+%22b%22+%26+c',
      headers: {},
      body: null,
    })
  })

  test('JSON is sent as it is after replacement', () => {
    expect(requestOf({})).toMatchObject({
      headers: { 'Content-Type': 'application/json' },
      body: '{"text":"a \\"b\\" \\u0026 c"}',
    })
    expect(requestOf({}, '')).toMatchObject({ body: null, headers: {} })
  })

  test('a form has sorted pairs; only values are filled', () => {
    const request_body = '{"z":"#NEZHA#","a":null,"#NEZHA#":1,"m":{"deep":"#NEZHA#"}}'
    const { body, headers } = requestOf({ request_type: 2, request_body }, 'x y')
    expect(headers).toEqual({ 'Content-Type': 'application/x-www-form-urlencoded' })
    expect([...new URLSearchParams(body!)]).toEqual([
      ['#NEZHA#', '1'],
      ['a', ''],
      ['m', '{"deep":"x y"}'],
      ['z', 'x y'],
    ])
    expect(requestOf({ request_type: 2, request_body: '' }).body).toBe('')
  })

  test('issue 36.38 own headers come last, filled on one line', () => {
    const request_header = '{"content-type":"text/plain","X-Retry":3,"X-Text":"#NEZHA# ü"}'
    expect(requestOf({ request_header }, 'a\r\nX-B: 1\0').headers).toEqual({
      'content-type': 'text/plain',
      'X-Retry': '3',
      'X-Text': 'a X-B: 1  ü',
    })
  })

  test.each([
    [{ request_method: 9 }, 'request_method', 'notOption'],
    [{ request_type: 0 }, 'request_type', 'notOption'],
    [{ request_header: '[]' }, 'request_header', 'notHeaders'],
    [{ request_header: '"x"' }, 'request_header', 'notHeaders'],
    [{ request_header: '{' }, 'request_header', 'notHeaders'],
    [{ request_type: 2, request_body: '[1]' }, 'request_body', 'notJson'],
    [{ request_type: 2, request_body: 'a=b' }, 'request_body', 'notJson'],
  ])('%j is refused', (more, field, code) => {
    expect(() => requestOf(more)).toThrow(expect.objectContaining({ code: 'invalid', problems: [{ field, code }] }))
  })

  test.each([
    ['{"X":"a\\r\\nInjected: 1"}'],
    ['{"X":"a\\nb"}'],
    ['{"X":"a\\u0000"}'],
    ['{"X: y\\r\\nZ":"a"}'],
    ['{"":"a"}'],
    ['{"X Y":"a"}'],
  ])('S-43 the header %s is refused', (request_header) => {
    const problems = [{ field: 'request_header', code: 'notHeaders' }]
    expect(() => requestOf({ request_header })).toThrow(expect.objectContaining({ problems }))
  })

  test('S-43 quotes and line ends in a form value stay one value', () => {
    const message = '"\r\n\\&=\u0000'
    const { body } = requestOf({ request_type: 2, request_body: '{"t":"#NEZHA#"}' }, message)
    expect([...new URLSearchParams(body!)]).toEqual([['t', message]])
  })
})

describe('issue 36.38 templates', () => {
  test('a blank is %20 in the path and + in the query', () => {
    const url = 'https://bark.example/KEY/#NEZHA#/x?b=#NEZHA#'
    expect(requestOf({ url }, 'a b/c').url).toBe('https://bark.example/KEY/a%20b%2Fc/x?b=a+b%2Fc')
  })

  test('a placeholder that stays unfilled doesn’t cut off a URL', () => {
    const url = 'https://x.example/#SERVER.NAME#?title=#SERVER.NAME#&text=#NEZHA#'
    expect(requestOf({ url }, 'hi').url).toBe('https://x.example/%23SERVER.NAME%23?title=%23SERVER.NAME%23&text=hi')
  })

  test.each([
    ['#NEZHA#', 'say "hi" <b>\n'],
    ['[web] #NEZHA#', '[web] say "hi" <b>\n'],
    ['Title: #NEZHA#', 'Title: say "hi" <b>\n'],
  ])('%j is plain text, without escapes', (request_body, body) => {
    expect(requestOf({ request_body }, 'say "hi" <b>\n')).toMatchObject({
      headers: { 'Content-Type': 'text/plain; charset=utf-8' },
      body,
    })
  })

  test.each(['"#NEZHA#"', ' ["#NEZHA#"]', '{"a":#SERVER.MEM#}'])('%j is JSON', (request_body) => {
    expect(requestOf({ request_body }).headers).toEqual({ 'Content-Type': 'application/json' })
  })

  const problemsOf = (request_body: string, more = {}, units = false) =>
    templateProblems({ request_method: 2, request_type: 1, request_body, ...more }, units).map(({ at }) => at)

  test.each([
    ['{"text":"#NEZHA#\n#DATETIME#"}', '1:17'],
    ['{\n  "text": #NEZHA#\n}', '2:11'],
    ['{"text":"#NEZHA#"', '1:18'],
    ['{"id":#SERVER.ID#,}', '1:19'],
    ['[{"a":}]', '1:7'],
  ])('%j is refused at %s', (body, at) => {
    expect(problemsOf(body)).toEqual([at])
  })

  test('a bare usage is JSON only without units; a form wants an object; what is not sent is not judged', () => {
    expect(problemsOf('{"cpu":#SERVER.CPU#}')).toEqual([])
    expect(problemsOf('{"cpu":#SERVER.CPU#}', {}, true)).toEqual(['1:8'])
    expect(problemsOf('a=#NEZHA#', { request_type: 2 })).toEqual(['1:1'])
    expect(problemsOf('[1]', { request_type: 2 })).toEqual(['1:1'])
    expect(problemsOf('{', { request_method: 1 })).toEqual([])
    for (const body of ['', '#NEZHA#', '{"a":"#NEZHA#","b":[#SERVER.LOAD1#]}']) expect(problemsOf(body)).toEqual([])
  })
})

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
