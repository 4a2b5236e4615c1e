"""Who a statement may be about: relatives, friends, colleagues, animals of the house."""

from __future__ import annotations

from typing import Final

PEOPLE: Final = {
    "relative": """
mother, mum, mom, mam, ma, mammy, mumsy, mama, mummy, mommy | 妈妈, 妈, 母亲, 老妈, 我妈, 妈咪, 娘
father, dad, papa, daddy, pa, old man, pops | 爸爸, 爸, 父亲, 老爸, 我爸, 爹, 爹地
parent, folks | 父母, 爸妈, 爹妈, 双亲, 爸爸妈妈, 家长
wife, missus, the missus, wifey, old lady | 老婆, 妻子, 太太, 媳妇, 内人, 爱人, 我媳妇儿, 媳妇儿
husband, hubby | 老公, 丈夫, 先生, 外子
partner, other half, significant other, spouse | 伴侣, 另一半, 对象, 配偶
girlfriend, gf | 女朋友, 女友
boyfriend, bf | 男朋友, 男友
fiance, fiancee | 未婚夫, 未婚妻
ex, ex-wife, ex-husband, ex wife, ex husband, ex-girlfriend, ex-boyfriend, ex girlfriend, ex boyfriend | 前妻, 前夫, 前女友, 前男友, 前任
son, my boy, baby boy, little boy | 儿子, 我儿子, 我儿, 男孩
daughter, baby girl, little girl | 女儿, 闺女, 女孩, 千金
child, kid, children, kids, offspring | 孩子, 小孩, 娃, 小孩子, 娃娃, 娃儿, 宝宝, 小朋友
eldest, oldest child, oldest kid | 老大, 大宝
second child, second kid, second baby | 老二, 二宝, 二胎
baby, newborn, infant | 婴儿, 新生儿
twin, twins | 双胞胎
brother, bro | 兄弟, 我兄弟
older brother, elder brother, big brother | 哥哥, 哥, 大哥, 老哥
younger brother, little brother, kid brother | 弟弟, 弟, 老弟, 小弟
sister, sis | 姐妹
older sister, elder sister, big sister | 姐姐, 姐, 大姐, 老姐
younger sister, little sister, kid sister | 妹妹, 妹, 老妹, 小妹
sibling, siblings, brother or sister, brother and sister, brothers or sisters, brothers and sisters, brothers nor sisters | 兄弟姐妹
only child | 独生子女, 独生女, 独生子, 独子, 独女, 独生
grandmother, grandma, gran, granny, nan, nana | 奶奶, 外婆, 姥姥, 祖母, 外祖母, 嬷嬷, 阿嬷
grandfather, grandpa, granddad, grandad | 爷爷, 外公, 姥爷, 祖父, 阿公
grandparent, grandparents | 祖父母, 爷爷奶奶, 外公外婆
grandchild, grandkid, grandchildren, grandson, granddaughter | 孙子, 孙女, 外孙, 外孙女
aunt, auntie, aunty | 阿姨, 姨, 姑姑, 姑妈, 舅妈, 婶婶, 大姨, 小姨, 伯母, 姑, 姨妈
uncle | 叔叔, 舅舅, 伯伯, 姑父, 姨父, 叔, 大伯, 舅, 姨丈
cousin | 表哥, 表姐, 表弟, 表妹, 堂哥, 堂姐, 堂弟, 堂妹, 表兄弟, 表姐妹
nephew | 侄子, 外甥
niece | 侄女, 外甥女
mother-in-law, mother in law | 岳母, 丈母娘, 婆婆
father-in-law, father in law | 岳父, 老丈人, 公公
parents-in-law, in-laws | 公婆, 岳父岳母
brother-in-law, brother in law | 姐夫, 妹夫, 大舅子, 小舅子
sister-in-law, sister in law | 嫂子, 弟媳, 小姨子
stepmother, stepmum, stepmom | 继母, 后妈
stepfather, stepdad | 继父, 后爸
stepson | 继子
stepdaughter | 继女
godmother | 干妈
family, my family | 家人, 家里人, 全家
""",
    "acquaintance": """
best friend, bestie | 最好的朋友, 闺蜜, 死党, 好朋友, 好友
friend, mate, buddy, pal | 朋友, 哥们, 哥们儿
boss | 老板
manager, line manager, supervisor, direct manager | 领导, 上司, 主管, 直属领导, 经理, 直属上司, 顶头上司, 直属主管
colleague, coworker, co-worker, workmate, teammate | 同事, 队友
team, my team | 团队, 我们组, 组, 小组
neighbor, neighbour | 邻居, 隔壁
flatmate, roommate, housemate | 室友, 舍友
landlord, landlady | 房东
tenant | 租客, 房客
classmate | 同学
teacher of mine, tutor | 导师, 家教
therapist, psychologist, counsellor, counselor, shrink | 心理咨询师, 咨询师, 心理医生, 治疗师
gp, family doctor | 家庭医生
trainer, personal trainer | 私教, 健身教练
assistant | 助理
""",
    "animal": """
dog, dog hair, puppy, doggy, pup, doggo | 狗, 狗毛, 狗狗, 小狗, 狗子, 犬, 老黄狗, 毛孩子, 大狗
cat, cat hair, kitten, kitty | 猫, 猫毛, 猫咪, 小猫, 喵, 猫猫, 大猫
rabbit, bunny | 兔子, 兔兔, 兔
hamster | 仓鼠
guinea pig | 豚鼠, 荷兰猪
parrot, budgie, parakeet, cockatiel | 鹦鹉
bird, canary | 鸟, 小鸟
tortoise, turtle | 乌龟, 龟
goldfish | 金鱼
snake | 蛇
lizard, gecko | 蜥蜴, 守宫
hen, hens | 母鸡
horse, pony | 马, 小马
goat | 山羊
pet | 宠物
mouse, mice, rat, rats | 老鼠
""",
}
"""Class → one concept a line: its name and English synonyms | Chinese ones."""
