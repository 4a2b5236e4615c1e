"""Which memory a correction means (X-06)."""

from __future__ import annotations

from datetime import UTC, datetime

from shared.models.descriptions import unit_meant
from tests.support.tables import each


def meant(about: str, statement: str, units: list[str]) -> str:
    found = unit_meant(about, statement, units, datetime.now(UTC))
    return found.why or units[found.meant or 0]


@each(
    ("about", "statement", "units"),
    [
        (
            "where I work",
            "I work at Siemens.",
            ["I work at Bosch.", "I live near Bosch's factory.", "I play chess at work."],
        ),
        ("my dentist", "My dentist is Dr. Hall.", ["My dentist is Dr. Ott.", "My vet is Dr. Ott."]),
        (
            "the name of my cat",
            "My cat is called Pixel.",
            ["My cat is called Byte.", "My dog is called Bit.", "My cat sleeps all day."],
        ),
        ("how old my son is", "My son is seven.", ["My son is six years old.", "My daughter is six years old."]),
        (
            "my favourite colour",
            "My favourite colour is red.",
            ["My favourite colour is teal.", "My favourite food is ramen."],
        ),
        (
            "the wifi password",
            "The wifi password is b.",
            ["The wifi password is aaaa.", "The printer's password is cccc."],
        ),
        ("my phone", "My phone is a Pixel 9.", ["My phone is an iPhone 12.", "I lost my charger."]),
        ("my allergy", "I'm allergic to cashews.", ["I'm allergic to peanuts.", "My sister is allergic to cats."]),
        ("what I study", "I study law.", ["I study history at Leiden.", "My brother studies history."]),
        (
            "our anniversary",
            "Our anniversary is on March 3.",
            ["Our anniversary is on March 2.", "My birthday is on March 2."],
        ),
        ("my sister", "My sister lives in Rome.", ["My sister lives in Pisa.", "My sister has two kids."]),
        ("我的手机型号", "我的手机是小米15。", ["我的手机是华为P60。", "我的电脑是华为的。"]),
        ("我几点睡觉", "我十一点睡觉。", ["我每晚十二点睡觉。", "我早上七点起床。"]),
        ("我老板的名字", "我老板叫李强。", ["我老板叫王刚。", "我同事叫王强。"]),
        ("我住几楼", "我住五楼。", ["我住三楼。", "我公司在三楼。"]),
        ("我最喜欢的歌手", "我最喜欢的歌手是陈奕迅。", ["我最喜欢的歌手是周杰伦。", "我最喜欢的电影是大话西游。"]),
        ("我女儿上几年级", "我女儿上四年级。", ["我女儿上三年级。", "我儿子上一年级。"]),
        ("我对什么过敏", "我对虾过敏。", ["我对螃蟹过敏。", "我爸对花粉过敏。"]),
        ("家里的wifi密码", "家里的wifi密码是9999。", ["家里的wifi密码是1234。", "公司的wifi密码是4321。"]),
        ("我的血型", "我的血型是B型。", ["我的血型是A型。", "我老婆的血型是B型。"]),
        ("我在哪儿上班", "我在美团上班。", ["我在滴滴上班。", "我在滴滴楼下吃饭。"]),
        ("我的健身频率", "我每周健身四次。", ["我每周健身三次。", "我每周看一场电影。"]),
        ("my manager 的名字", "My manager is Rita.", ["My manager is called Olaf.", "我的牙医叫 Olaf。"]),
        ("我的 car", "我的 car 是红色的。", ["我的 car 是蓝色的。", "My bike is blue."]),
        (
            "how I take my coffee",
            "I take my coffee black.",
            ["I take my coffee with oat milk.", "I drink tea in the evening."],
        ),
        (
            "the day of my piano lesson",
            "My piano lesson is on Friday.",
            ["My piano lesson is on Thursday.", "I teach on Thursday."],
        ),
        ("where I park", "I park behind the church.", ["I park in front of the bakery.", "The bakery opens at seven."]),
        (
            "the thing about my coffee",
            "I drink my coffee with sugar.",
            ["I drink my coffee black.", "I drink my tea with milk."],
        ),
        ("my commute", "I commute by bike.", ["I commute by train.", "I take the train to my parents."]),
        (
            "our cleaner's day",
            "Our cleaner comes on Fridays.",
            ["Our cleaner comes on Wednesdays.", "The bins go out on Wednesdays."],
        ),
        ("number of my siblings", "I have three siblings.", ["I have two siblings.", "I have two cats."]),
        (
            "my daughter's allergy",
            "My daughter is allergic to kiwi.",
            ["My daughter is allergic to nuts.", "I'm allergic to pollen.", "My daughter plays golf."],
        ),
        (
            "my blood pressure medicine",
            "I take ramipril.",
            ["I take lisinopril for my blood pressure.", "I take vitamin C."],
        ),
        ("my flight", "My flight is on Tuesday.", ["My flight is on Monday.", "My train is on Monday."]),
        (
            "my mother's birthday",
            "My mother's birthday is May 8.",
            ["My mother's birthday is May 7.", "My father's birthday is May 7."],
        ),
        (
            "my native language",
            "My native language is Frisian.",
            ["My native language is Dutch.", "I speak some Dutch with my neighbours."],
        ),
        ("the language I'm learning", "I'm learning Korean.", ["I'm learning Japanese.", "I eat Japanese food a lot."]),
        ("my shoe size", "My shoe size is 44.", ["My shoe size is 43.", "My jacket size is 50."]),
        ("who I live with", "I live with my brother.", ["I live with two roommates.", "I work with two designers."]),
        ("my email", "My email is b@x.org.", ["My email is a@x.org.", "My phone number is 5551234."]),
        ("the lunch break", "Our lunch break is at one.", ["Our lunch break is at noon.", "Our stand-up is at nine."]),
        ("Alex's job", "Alex is a pilot.", ["Alex is a baker.", "Sam is a baker.", "Alex lives in Kent."]),
        ("my role", "I'm a team lead now.", ["My role is backend developer.", "My team has eight people."]),
        ("my diet", "I'm vegan.", ["I'm vegetarian.", "My dog is on a diet."]),
        ("我妈的电话", "我妈的电话是13900000000。", ["我妈的电话是13800000000。", "我爸的电话是13700000000。"]),
        ("我平时怎么上班", "我骑车上班。", ["我坐地铁上班。", "我坐地铁去公园。"]),
        ("我养的宠物", "我养了一只狗。", ["我养了一只猫。", "我家楼下有猫。"]),
        ("孩子的生日", "我孩子的生日是六月一号。", ["我孩子的生日是五月一号。", "公司五月一号放假。"]),
        ("我的身高", "我身高一米八。", ["我身高一米七八。", "我弟身高一米九。"]),
        ("奶奶住哪", "我奶奶住在成都。", ["我奶奶住在重庆。", "我爷爷住在绵阳。"]),
        ("我的工位", "我的工位在八楼。", ["我的工位在三楼。", "会议室在三楼。"]),
        ("我喝咖啡的习惯", "我喝咖啡加糖。", ["我喝咖啡不加糖。", "我喝茶不加糖。"]),
        ("我的会员到期时间", "我的会员六月到期。", ["我的会员三月到期。", "我的护照三月到期。"]),
        ("我开什么车", "我开特斯拉。", ["我开宝马。", "我老婆开奥迪。"]),
        ("我的 team", "我在支付 team。", ["我在搜索 team。", "我在搜索房子。"]),
        ("我女儿的老师", "我女儿的老师姓刘。", ["我女儿的老师姓张。", "我儿子的老师姓张。"]),
        ("周末的安排", "我周末去爬山。", ["我周末去游泳。", "我周一去游泳。"]),
    ],
)
def test_the_first_is_meant_whatever_order_they_come_in(about: str, statement: str, units: list[str]) -> None:
    assert meant(about, statement, units) == units[0]
    assert meant(about, statement, units[::-1]) == units[0]


def test_what_nothing_speaks_of_is_not_guessed() -> None:
    assert meant("my passport", "It expired.", ["I collect stamps.", "我住在上海。"]) == "nothing_meant"
    assert meant("my passport", "It expired.", []) == "nothing_meant"
    assert meant("it", "It expired.", ["I collect stamps."]) == "nothing_meant"


def test_half_of_a_description_is_not_enough() -> None:
    assert meant("my wedding date", "We marry on June 5.", ["My wedding dress is blue."]) == "nothing_meant"


def test_several_that_fit_alike_are_not_chosen_from() -> None:
    units = ["I have choir on Mondays.", "I have judo on Mondays."]
    assert meant("what I do on Mondays", "Something else.", units) == "several_meant"


def test_of_several_that_fit_alike_the_one_the_statement_resembles_is_meant() -> None:
    units = ["I have choir on Mondays.", "I have judo on Mondays."]
    assert meant("what I do on Mondays", "I have judo at noon on Mondays.", units) == units[1]


def test_a_word_that_nobody_said_is_not_passed_over() -> None:
    assert meant("my gym day", "I go to the gym on Tuesdays.", ["I have choir on Mondays."]) == "nothing_meant"
