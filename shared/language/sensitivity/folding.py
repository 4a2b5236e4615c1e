"""Fold a text to a copy of the same length for the detectors, so that every offset is valid in the original."""

from __future__ import annotations

from typing import Final

from shared.language.rules import folding

# Characters in the detectors' words and surnames that the extraction rules do not fold.
_TRADITIONAL: Final = (
    "電話碼機號會開學業長兒媽師醫買產實記請職離問"
    "驗證銀帳賬戶護郵條鑰權聯絡緊轉匯發門鎖裝設員儲簽認圖傳動態詞復庫網頁雲駕駛執險統稅領館辦簡訊撥線錄運貨營銷遞訂瀏覽"
    "爺嬸夥親闆師閨舊導鄰東婦訪說個從這還總給點單車"
    "孫張劉陳楊黃趙吳鄭謝馮韓蕭羅許鄧葉蘇呂盧蔣賈陸鍾譚鄒龍顧賴龔嚴錢湯莊歐陽諸溫範齊賀萬馬喬閻關連倫"
)
_SIMPLIFIED: Final = (
    "电话码机号会开学业长儿妈师医买产实记请职离问"
    "验证银帐账户护邮条钥权联络紧转汇发门锁装设员储签认图传动态词复库网页云驾驶执险统税领馆办简讯拨线录运货营销递订浏览"
    "爷婶伙亲板师闺旧导邻东妇访说个从这还总给点单车"
    "孙张刘陈杨黄赵吴郑谢冯韩萧罗许邓叶苏吕卢蒋贾陆钟谭邹龙顾赖龚严钱汤庄欧阳诸温范齐贺万马乔阎关连伦"
)
_EXTRA: Final = str.maketrans(
    {
        **dict(zip(_TRADITIONAL, _SIMPLIFIED, strict=True)),
        **dict.fromkeys("“”„「」『』`", '"'),
        **dict.fromkeys("–−", "-"),
    }
)


def fold(text: str) -> str:
    """Return `text` with each character folded on its own: width, quotation marks, dashes, simplified Chinese."""
    return folding.fold(text).translate(_EXTRA)
