"""How people want to be answered, and with what they work."""

from __future__ import annotations

from typing import Final

STYLE: Final = {
    "length": """
short, to a minimum, minimal, keep explanations to a minimum, brief, concise, succinct, terse, to the point, short and sweet, less wordy, shorter, not too long, keep it short, brevity, crisp, briefly, concisely, shortly, succinctly | 简短, 简洁, 精简, 简明, 短, 短一点, 短点, 简单点, 简练, 言简意赅, 别太长, 不要太长, 少废话, 别啰嗦, 不要啰嗦, 简短些
long, explain more, explain a bit more, more explanation, detailed, in detail, thorough, in depth, in-depth, elaborate, longer, comprehensive, lengthy, more detail, extensive | 详细, 长, 长一点, 长点, 详尽, 细致, 展开, 具体, 全面, 深入, 详细点, 详细些
""",
    "tone": """
formal, formally, polite, formality | 正式, 书面, 礼貌
casual, casually, informal, informally, relaxed, chatty, friendly, laid-back | 随意, 口语, 口语化, 轻松, 随便点, 随和
serious | 严肃
funny, humorous, humor, humour, jokes, joke, witty | 幽默, 搞笑, 玩笑, 笑话
""",
    "address": """
polite-you | 敬称您
plain-you | 平称你
""",
    "unit-system": """
metric, metric system, in km, in cm, in kilos, in grams, in metres, in kilometres, kilometres, kilometers, centimetres, kilograms | 公制, 公里制
imperial, in miles, in feet, in inches, in stone, in ounces, in fahrenheit and miles, feet and pound, pound and feet, feet and inch, cup and ounce, ounce and cup, pound and ounce, imperial unit | 英制, 英尺, 英寸, 盎司
""",
    "temperature": """
celsius, centigrade, ° c, degrees c, °c | 摄氏度, 摄氏
fahrenheit, ° f, degrees f, °f | 华氏度, 华氏
""",
    "clock-format": """
24-hour, 24 hour, 24h, 24-hour clock, military time | 24 小时制, 二十四小时制
12-hour, 12 hour, 12h, am/pm, 12-hour clock | 12 小时制, 十二小时制
""",
    "spelling": """
british spelling, british english, uk spelling, uk english, british | 英式, 英式英语, 英式拼写
american spelling, american english, us spelling, us english, american | 美式英语, 美式拼写
""",
    "script": """
simplified, simplified chinese | 简体, 简体中文, 简体字
traditional, traditional chinese | 繁体, 繁体中文, 繁体字
""",
    "register": """
jargon, technical jargon, technical term, technical terms, specialist terms | 术语, 行话, 专业术语
plain words, simple words, simple language, plain language, plain english, layman's terms, layman terms | 通俗, 大白话, 通俗易懂, 简单易懂
""",
    "indentation": """
tabs, tab | 制表符
spaces, space | 空格
""",
    "theme": """
dark mode, dark theme | 深色模式, 暗色模式, 深色主题, 暗黑模式
light mode, light theme | 浅色模式, 亮色模式, 浅色主题
""",
    "currency": """
usd, dollar, us dollar | 美元, 美金
eur, euro | 欧元
cny, rmb, yuan | 人民币
gbp, pound sterling, sterling | 英镑
""",
    "style": """
answer, reply, respond, response, speak to me, talk to me, chat with me, write to me, message me | 回答, 回复, 回应, 答复, 答案, 回我, 跟我说, 跟我聊, 聊天, 跟我聊天, 交流, 沟通
emoji, emojis, emoticon, smiley | 表情, 表情符号, 颜文字, 绘文字
bullet point, bullet points, bullets, bullet list, list | 列表, 列点, 列要点, 列出来, 分点列出来, 列清单, 分点, 分点回答, 要点, 条目, 分条
table | 表格
code | 代码
code comment, code comments, comments | 注释, 代码注释
markdown | 标记格式
heading, headings, header | 标题
exclamation mark, exclamation marks | 感叹号
swearing, swear word, swear words, swear | 脏话
example, examples | 例子, 举例
source, sources, citation, citations, references, cite, cite source, cite your source | 来源, 出处, 引用, 列出处, 注明出处, 标注来源, 附上来源
summary | 总结, 摘要
english word | 英文单词, 英文词
step by step, step-by-step, one step at a time | 一步一步, 分步, 逐步
unit, units, measurement, measurements | 单位, 度量
temperature | 温度, 气温
tone | 语气, 口吻, 口气
blunt, direct, straightforward, straight, frank, upfront | 直接, 直白, 坦率, 开门见山
apology, apologise, apologize | 道歉
""",
    "editor": """
vs code, vscode, visual studio code, code editor | 微软编辑器
neovim, nvim | 新 vim
vim, vi
emacs
sublime, sublime text
intellij, idea, intellij idea
pycharm
webstorm
goland
cursor
zed
xcode
android studio
eclipse
notepad++
rstudio
jupyter
""",
    "os": """
windows, win10, win11 | 视窗
macos, mac os, osx | 苹果系统
linux
ubuntu
debian
fedora
arch, arch linux, archlinux
mint, linux mint
nixos
chromeos
""",
    "phone": """
iphone, apple phone | 苹果手机
android, android phone | 安卓, 安卓手机
pixel
galaxy, samsung | 三星
xiaomi | 小米
huawei | 华为
oneplus | 一加
oppo
vivo
nokia | 诺基亚
""",
    "computer": """
macbook, mac, macbook pro, macbook air | 苹果电脑, 苹果本
thinkpad
dell
surface
chromebook
""",
    "device": """
phone, mobile, cell phone, smartphone, cellphone, mobile phone | 手机
computer, pc, desktop | 电脑, 台式机
laptop, notebook computer | 笔记本, 笔记本电脑
tablet computer, ipad | 平板, 平板电脑
camera | 相机, 照相机
headphone, earphone, earphones, headphones, earbuds | 耳机
watch band, smartwatch | 手表, 智能手表
tv, television, telly | 电视
web browser, browser | 浏览器
keyboard | 键盘
monitor | 显示器
printer | 打印机
kindle, e-reader | 电子书
helmet | 头盔
sofa, couch | 沙发
bed | 床
fridge | 冰箱
washing machine | 洗衣机
""",
    "browser": """
firefox | 火狐
chrome | 谷歌浏览器
safari
edge
brave
arc
""",
    "programming": """
python
rust
golang
javascript, js
typescript, ts
java
c++, cpp
c#
ruby
php
kotlin
swift
haskell
scala
sql
""",
    "app": """
notion
obsidian
evernote | 印象笔记
slack
teams
wechat | 微信
whatsapp
telegram
signal
gmail
outlook
spotify
netflix
zoom
excel
git
docker
alipay | 支付宝
""",
}
"""Class → one concept a line: its name and English synonyms | Chinese ones."""
