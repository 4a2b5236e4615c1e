"""Secrets that are told without the word "password", and the numbers that only stand in their place."""

from __future__ import annotations

from shared.language.sensitivity import find
from tests.support.tables import each

TOLD = [
    ("gave the cleaner 6630 for the burglar alarm", ["6630"]),
    ("it's 4411# to get through the side gate", ["4411#"]),
    ("buzz 1180 at the front door and come up", ["1180"]),
    ("bike lock opens on 0419", ["0419"]),
    ("the alarm wants 3391 within 30 seconds", ["3391"]),
    ("parental controls 1379 if the kids ask", ["1379"]),
    ("the 2fa text said 771204", ["771204"]),
    ("google sent me G-483920 to sign in", ["483920"]),
    ("sent you the code btw, 558 210", ["558 210"]),
    ("the locker at the gym is 27-4-31", ["27-4-31"]),
    ("padlock: 24 left, 6 right, 38 left", ["24 left, 6 right, 38 left"]),
    ("the wifi is MooseLodge and u get in with elk-antler-93", ["elk-antler-93"]),
    ("use Tr0ub4dor&3 for the shared drive", ["Tr0ub4dor&3"]),
    ("github gave me recovery codes, 3f9a1-b07c2 and 88de4-1a6f0", ["3f9a1-b07c2", "88de4-1a6f0"]),
    ("backup codes 8812 4471, 9920 1138, 7003 2245", ["8812 4471", "9920 1138", "7003 2245"]),
    ("db creds are app_rw / q7Lm0_zz", ["q7Lm0_zz"]),
    ("行李箱锁 0-8-3,到酒店记得开", ["0-8-3"]),
    ("保险柜密码左转 27 右转 63 再左转 14", ["左转 27 右转 63 再左转 14"]),
    ("单元门按 2580# 就开了", ["2580#"]),
    ("酒店房间保险箱我设的 0423", ["0423"]),
    ("客服让我把收到的六位数报给他,我就报了 419076", ["419076"]),
    ("短信发来 90817,填哪儿?", ["90817"]),
    ("公司 vpn 用 zhangsan / Zs@88pass 登", ["Zs@88pass"]),
    ("微信支付码念给你听哈:三九二零一五", ["三九二零一五"]),
    ("跟前台说暗号「芝麻糊不加糖」就放你进去", ["芝麻糊不加糖"]),
    ("密 码 Hanmei_1314 先帮我记着", ["Hanmei_1314"]),
    ("恢复码一共三个:8F2K-11QA、7H3M-90ZZ、K2L4-55TT", ["8F2K-11QA", "7H3M-90ZZ", "K2L4-55TT"]),
    (
        "备份助记词:春天 河水 慢慢 流过 石桥 村口 老人 下棋 喝茶 晒着 太阳 打盹",
        ["春天 河水 慢慢 流过 石桥 村口 老人 下棋 喝茶 晒着 太阳 打盹"],
    ),
]


@each(("text", "secrets"), TOLD)
def test_a_secret_told_by_its_use_is_a_credential(text: str, secrets: list[str]):
    assert [(found.category, text[found.start : found.end]) for found in find(text)] == [
        ("credential", secret) for secret in secrets
    ]


def test_the_secret_beside_an_access_key_id_is_a_key_too():
    text = "I put AKIAEXAMPLE012345FAK and wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY, region eu-north-1"
    assert [text[found.start : found.end] for found in find(text)] == [
        "AKIAEXAMPLE012345FAK",
        "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    ]


@each(
    "text",
    [
        "paid 1200 for the garage door",
        "gave the roofer 1250 for the garage door",
        "I have 4500 for the new gate, enough?",
        "meet me at 1800 at the front door",
        "the alarm went off at 0630",
        "alarm is 0715",
        "get in with your work badge",
        "sign in with office365",
        "use python3.11 for the shared drive",
        "the bank text said I spent 2450",
        "it sent me 1500 emails",
        "bus 4411 to the north gate",
        "the suitcase is 55-40-23 cm",
        "recovery codes are in the drawer, 3rd from top",
        "左转 200 米再右转 300 米就到",
        "把门锁换了花了 1580",
        "四位数乘法 4821 乘 3307",
        "短信说快递 77120931 到了",
        "按 1000 字写一篇",
        "柜子尺寸 80-40-200",
        "登录用微信就行",
        "二零二三年毕业的",
    ],
)
def test_amounts_times_sizes_and_talk_are_no_credentials(text: str):
    assert [found for found in find(text) if found.category in {"credential", "key"}] == []
