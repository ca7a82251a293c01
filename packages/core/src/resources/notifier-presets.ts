import { RequestMethod, RequestType } from '../schemas/index.ts'

/** A message by POST with a JSON body; what is in angle brackets is to be filled in. */
const json = (url: string, body: Readonly<Record<string, unknown>>) => ({
  url,
  request_method: RequestMethod.POST,
  request_type: RequestType.json,
  request_body: JSON.stringify(body, null, 2),
})

/** How well-known receivers want a message, by the pages of each about incoming webhooks. */
export const notifierPresets = {
  slack: json('https://hooks.slack.com/services/<token>', { text: '#NEZHA#' }),
  telegram: json('https://api.telegram.org/bot<token>/sendMessage', { chat_id: '<chat>', text: '#NEZHA#' }),
  discord: json('https://discord.com/api/webhooks/<id>/<token>', { content: '#NEZHA#' }),
  gotify: json('https://gotify.example.com/message?token=<token>', {
    title: 'Quarterdeck',
    message: '#NEZHA#',
    priority: 5,
  }),
  ntfy: json('https://ntfy.sh/', { topic: '<topic>', title: 'Quarterdeck', message: '#NEZHA#' }),
  mail: json('https://mail.example.com/send', { to: 'ops@example.com', subject: 'Quarterdeck', text: '#NEZHA#' }),
  dingtalk: json('https://oapi.dingtalk.com/robot/send?access_token=<token>', {
    msgtype: 'text',
    text: { content: '#NEZHA#' },
  }),
  wecom: json('https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=<key>', {
    msgtype: 'text',
    text: { content: '#NEZHA#' },
  }),
  feishu: json('https://open.feishu.cn/open-apis/bot/v2/hook/<token>', {
    msg_type: 'text',
    content: { text: '#NEZHA#' },
  }),
  generic: json('https://example.com/hook', { message: '#NEZHA#', server: '#SERVER.NAME#', time: '#DATETIME#' }),
}
