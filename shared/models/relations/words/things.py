"""Properties, deeds and things of everyday talk that none of the other groups holds."""

from __future__ import annotations

from typing import Final

THINGS: Final = {
    "deed": """
help | 帮忙, 帮助
share | 分享, 合租
volunteer, volunteering | 志愿者, 义工
coach | 教练, 执教
collect, collecting, collection | 收集, 收藏
stamp, collect stamps | 集邮
build, building | 搭, 拼
lego | 乐高
sell | 卖掉, 出售
sit | 坐
stand | 站
wash | 洗
clean | 打扫
break, fracture, snap, break a bone, broken bone, break any bone | 弄坏, 坏, 骨折, 摔断, 摔坏
lose | 丢, 丢失, 弄丢
pass | 通过, 考过
fail | 挂科, 没考过
apply | 申请
hire | 雇
promote, promoted | 升职, 晋升
die, pass away, pass on | 去世, 过世, 死, 死了, 离世
late, be late | 迟到
pray | 祷告
vote | 投票
move abroad, emigrate | 移民
citizen, citizenship, nationality | 国籍, 公民
passport | 护照
visa | 签证
green card | 绿卡
spare key | 备用钥匙
key | 钥匙
shoe cabinet | 鞋柜
parking | 停车
on call, on standby
desk, workstation, my desk | 工位, 办公桌, 书桌
locker | 储物柜, 更衣柜
bin, bins | 垃圾桶
password | 密码
door code, gate code | 门禁
package, parcel | 快递
umbrella | 雨伞
book, books | 书
comic, comics, manga | 漫画
novel | 小说
science fiction, sci-fi | 科幻
news | 新闻节目
thunderstorm, thunderstorms | 雷雨
rain, rainy, rainy day, rainy days | 下雨, 下雨天, 雨天
snow | 雪
sun, sunny | 晴天, 阳光
beach, seaside | 海边, 沙滩
mountain | 山
city | 城市
tattoo | 纹身
beard | 胡子
fear, afraid of, be afraid of, scared of, be scared of, fear of, terrified of, be terrified of, frightened of, scare, phobia of | 怕, 害怕, 恐惧, 畏惧
religion, faith, religious, believer, believe in god | 宗教, 信仰, 信教, 信神, 信主, 信上帝, 信不信, 信耶稣
sibling count | 排行
only | 只有, 仅, 只喝, 只吃
favorite, favourite | 最喜欢, 最喜欢的, 最爱, 最爱的
recipe | 菜谱, 食谱
email, mail | 邮件, 电子邮件, 发邮件, 写邮件
look for | 找
overtime, work overtime | 加班
phone call, phone calls, ring up, give a call, talk on the phone, speak on the phone | 打电话, 电话, 通话
text message, texting, text | 短信, 发消息, 微信消息
hair | 头发
dye, dyed | 染, 染成
wait, wait for, await | 等, 在等, 等待
near, nearby, close to | 附近, 旁边, 边上, 隔壁
left side, leftside | 左, 左边
right side, rightside | 右, 右边
laid off, be laid off, get fired, be fired, let go, made redundant, sacked | 被裁, 被裁员, 被开除, 被辞退
native language, mother tongue, first language, native speaker | 母语
receive | 拿到, 收到, 领到
""",
}
"""Class → one concept a line: its name and English synonyms | Chinese ones."""
