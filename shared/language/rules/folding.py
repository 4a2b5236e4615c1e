"""Fold a message to a copy of the same length for matching, so that every offset is valid in the original."""

from __future__ import annotations

import re
import unicodedata

FILLER = "\ufffc"
"""Replaces each character of a quotation, inline code or URL: it belongs to its clause but matches no word."""

_TRADITIONAL = (
    "丟並乗乹乾亁亝亱佈併來侶俬俻倆倉個們倣備傚傢傳傷傾僅働僑僱價儀儘優儲兎兒內兩冐凢別剋剏剙剛創劃劇劉効"
    "動務勞區卽厀厤厭厰參呌咊員唸問喪喫單嗎嘆嘍嘑噁噹嚕嚮嚴囂囉囑囙國園圖團坿埰執堅報場塊塲墊壓壞夢妝妳妷"
    "姪婦媍媽媿嬤嬭嬸孃孫學宮寀實寧審寫寬寳寵寶尅將專對導尒尟尠屆屬島崗嵗嶽巖師帶幇幚幣幫幹幾庫庽廚廠廢廣"
    "廹廻張強彆彈彎彔彿徃後從徧復惡愛愽慙慚慣慮慶慼慽憶應懷懼戀戲戶拚挵捨捲採掽換揷揹搆損搤摃摺撡擁擇擱擴"
    "擺擼擾攔攝攢攤攷敎敗數斷於旣旹旾昇時暈暫暱曆曏曬書會朞朢朮朶東枱枴柺査桿條棄棊業極榦構槕樂樓標樣樹橋"
    "機檔檢檯櫃權欝欵歎歐歡歲歴歷歸殘毬氣氷決沒沖況涼減測湊湯準溝溫溼滬滾滿漢潑潔潛潤潰濕灋為烏無煑煗煙煩"
    "熱燈燒營爐爛爲爺爾牀牠牴狀猨獨獸獻現產産甯畢畧畫異畱畵當痠瘍瘓瘡療癅癇癈癡癢癥癮癱癲發盌盡監盤眎眞眡"
    "睏瞞瞭碩確碼礎祘禪禮秊秖種稱稾積窩窮竇竈竝筆筞箇節簡簽籃籤粧粵糧糰紀約紅紉紋納純級紥紮細紹終組結絕絡"
    "給統絲絶經綠綫維網綽緐緑線編練緻縫縮總績織繙繞繫續纍纔缐罵羅義習翫聞聰聲職聽聾肅脃脈脩脫脹腎腦腫腳腸"
    "膓膚膠膽臉臝臟臥臺與興舊舖舘舩芲荳華菸萬葉葠葯蓋蓡蔘蔥蕁薑薦藝藥蘤蘭處虛號虧蜋蝦蝯蝸螎蟲蠭蠶蠻衇術衕"
    "衚衝裏補裝裡製複襬見規視親覺觝觸訂計討訓託記設許訴診註証詞詢試詩話該詳誌認誒語說説誰課調談請論諗諮諱"
    "謀謂謊謌講謝謹證譔識譜譯議護讀變讓讬谘豬貓負財貧貨貫責買貸貿資賊賓賣質賬購踫躶車軍軟較輔輕輛輟輪輭輯"
    "輸轉轎辢辤辦辭辯農辳迴迻這連逥逩週進遊運過達遞遠遲遶選遺還邊郵鄉鄰醕醣醫釋釘釣釬鈅鈡鈣鉄鉅銘銲銷鋪鋼"
    "錄錢錯録錶鍋鍵鍾鏇鏡鐘鐵鑰钜锺镟長門閃閉開間閙閤閨闆關陞陣陰陽隂隊際隣隨險隱隻雖雙雞離難電霑靜鞵韆韓"
    "響頂項順須預頓領頟頭頸頻題額顏顔願類顧顫顯風颱飛飜飯飲飽養館餵餹餻饞馬駐駕駛駡騎騐驗驚髈髒體髮鬆鬍鬚"
    "鬧鬰鬱魚鮮鳥鳳鳴鴨鵡鷄鸚鹽麩麪麫麯麴麵麹麺麼麽點黨齊齋齡齣龍龜著祂姊"
)
_SIMPLIFIED = (
    "丢并乘干干干斋夜布并来侣私备俩仓个们仿备效家传伤倾仅动侨雇价仪尽优储兔儿内两冒凡别克创创刚创划剧刘效"
    "动务劳区即膝历厌厂参叫和员念问丧吃单吗叹喽呼恶当噜向严嚣啰嘱因国园图团附采执坚报场块场垫压坏梦妆你侄"
    "侄妇妇妈愧嬷奶婶娘孙学宫采实宁审写宽宝宠宝克将专对导尔鲜鲜届属岛岗岁岳岩师带帮帮币帮干几库寓厨厂废广"
    "迫回张强别弹弯录佛往后从遍复恶爱博惭惭惯虑庆戚戚忆应怀惧恋戏户拼弄舍卷采碰换插背构损扼扛折操拥择搁扩"
    "摆撸扰拦摄攒摊考教败数断于既时春升时晕暂昵历向晒书会期望术朵东台拐拐查杆条弃棋业极干构桌乐楼标样树桥"
    "机档检台柜权郁款叹欧欢岁历历归残球气冰决没冲况凉减测凑汤准沟温湿沪滚满汉泼洁潜润溃湿法为乌无煮暖烟烦"
    "热灯烧营炉烂为爷尔床它抵状猿独兽献现产产宁毕略画异留画当酸疡痪疮疗瘤痫废痴痒症瘾瘫癫发碗尽监盘视真视"
    "困瞒了硕确码础算禅礼年只种称稿积窝穷窦灶并笔策个节简签篮签妆粤粮团纪约红纫纹纳纯级扎扎细绍终组结绝络"
    "给统丝绝经绿线维网绰繁绿线编练致缝缩总绩织翻绕系续累才线骂罗义习玩闻聪声职听聋肃脆脉修脱胀肾脑肿脚肠"
    "肠肤胶胆脸裸脏卧台与兴旧铺馆船花豆华烟万叶参药盖参参葱荨姜荐艺药花兰处虚号亏螂虾猿蜗融虫蜂蚕蛮脉术同"
    "胡冲里补装里制复摆见规视亲觉抵触订计讨训托记设许诉诊注证词询试诗话该详志认诶语说说谁课调谈请论谂咨讳"
    "谋谓谎歌讲谢谨证撰识谱译议护读变让托咨猪猫负财贫货贯责买贷贸资贼宾卖质账购碰裸车军软较辅轻辆辍轮软辑"
    "输转轿辣辞办辞辩农农回移这连回奔周进游运过达递远迟绕选遗还边邮乡邻醇糖医释钉钓焊钥钟钙铁巨铭焊销铺钢"
    "录钱错录表锅键钟旋镜钟铁钥巨钟旋长门闪闭开间闹合闺板关升阵阴阳阴队际邻随险隐只虽双鸡离难电沾静鞋千韩"
    "响顶项顺须预顿领额头颈频题额颜颜愿类顾颤显风台飞翻饭饮饱养馆喂糖糕馋马驻驾驶骂骑验验惊膀脏体发松胡须"
    "闹郁郁鱼鲜鸟凤鸣鸭鹉鸡鹦盐麸面面曲曲面曲面么么点党齐斋龄出龙龟着他姐"
)


class _Folding(dict[int, str]):
    """Maps a code point to one character: NFKC if it stays one, plain spaces, straight quotes, simplified Chinese."""

    def __missing__(self, code: int) -> str:
        compatible = unicodedata.normalize("NFKC", chr(code))
        folded = compatible if len(compatible) == 1 else chr(code)
        if folded.isspace() and folded not in "\t\n":
            folded = " "
        self[code] = folded
        return folded


_FOLDING = _Folding(
    {
        **{ord(old): new for old, new in zip(_TRADITIONAL, _SIMPLIFIED, strict=True)},
        **dict.fromkeys(map(ord, "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"), "\n"),
        **dict.fromkeys(map(ord, "‘’ʼ´"), "'"),
        **dict.fromkeys(map(ord, "‐‑‒"), "-"),
    }
)

# Every alternative stops at the next character that could open it again, so unclosed openers stay linear.
_BLOCKS = re.compile(
    r"```.*?(?:```|\Z)"
    r"|^[ \t]*+~~~.*?(?:^[ \t]*+~~~|\Z)"
    r"|^[ \t]*+>[^\n]*",
    re.MULTILINE | re.DOTALL,
)
_TRANSCRIPT_LINE = re.compile(
    r"^[ \t]*+"
    r"(?=(?:(?-i:[A-Z])[\w.'-]{0,20}(?:[ ](?-i:[A-Z])[\w.'-]{0,20}){0,2}|[\u4e00-\u9fff]{1,6}):)"
    r"(?![^\n:]{0,60}(?:\b(?:me|my|i|i'?m|ps|fyi|btw|hi|hello)\b|background|context|info|note|constraint|need"
    r"|prefer|diet"
    r"|allerg|location|profile|fact|detail|important|update|correction|remember|reminder|memory|budget|health|forget"
    r"|我|记|注|备|背景|补充|关于|过敏|饮食|偏好|信息|要求|提醒|更新|预算|另外|忘|顺便|对了|健康|以后)[^\n:]{0,60}:)"
    r"[^\n]*",
    re.MULTILINE | re.IGNORECASE,
)
_INLINE = re.compile(
    r"`[^`\n]+`"
    r'|"[^"\n]+"'
    r"|“[^“”\n]+”"
    r"|「[^「」\n]+」"
    r"|『[^『』\n]+』"
    r"|(?<!\w)'(?:[^'\n]|(?<=\w)'(?=\w))+'(?!\w)"
    r"|(?:https?://|www\.)[^\s<>\"'`。！？；、\u4e00-\u9fff]*[^\s<>\"'`。！？；、\u4e00-\u9fff.,;:!?)]"
)


def fold(text: str) -> str:
    """Return `text` with each character folded on its own; the length is kept."""
    return text.translate(_FOLDING)


def mask(folded: str) -> str:
    """Return `folded` with words that are not the speaker's own made unmatchable; the length is kept.

    Fenced code, lines that start with `>` and lines of a pasted transcript (`Alice: …`) become line ends. Inline code,
    quotations and URLs become `FILLER`.
    """
    own = _BLOCKS.sub(lambda found: "\n" * len(found[0]), folded)
    own = _TRANSCRIPT_LINE.sub(lambda found: "\n" * len(found[0]), own)
    return _INLINE.sub(lambda found: FILLER * len(found[0]), own)
