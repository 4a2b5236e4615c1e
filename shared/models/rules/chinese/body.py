"""Chinese rules for what the body does not bear, in order of precedence."""

from __future__ import annotations

from shared.models.rules import importance
from shared.models.rules.chinese.words import ADVERB, MYSELF
from shared.models.rules.table import Rule

BODY: tuple[Rule, ...] = (
    Rule(
        "zh_body",
        rf"{MYSELF}(?:的)?(?:左|右|双)?(?:手|脚|腿|臂|肩|膝盖|腰|背|颈椎|脖子|眼睛?|耳朵?|胃|脚踝|手腕|半月板|韧带|锁骨|肋骨|牙)"
        rf"(?:上|里)?[^,想要]{{0,8}}?(?:有(?:钢钉|钢板|旧伤|伤|疤)|(?:烫|摔|扭|拉|撞|冻|受|烧)(?:断|裂)?伤过|断过|裂过|撕裂过"
        rf"|做过(?:牵引|手术|理疗|康复)|(?:半月板|韧带)?(?:撕裂|断裂)过?|疼得[^,]{{1,6}})"
        rf"|(?:{MYSELF})?(?:身上|随身)(?:一直)?(?:带|戴|装|埋|背)着(?:胰岛素泵|起搏器|造口袋|引流管|尿袋|氧气|急救药|肾上腺素笔?)"
        rf"|{MYSELF}{ADVERB}(?:坐|搬|爬|开|站|走|跑|提|蹲|穿|熬|拎)不了(?!这|那|了|你|多久)[^,]{{1,8}}$"
        rf"|{MYSELF}(?:生理期|来例假|经期|换季|阴天|下雨天|天一冷|冬天)[^,你]{{0,4}}?(?:会|就|都|总)?(?:疼|痛|犯|发作|咳|痒|晕|难受|手脚冰凉)"
        rf"|{MYSELF}(?:吃|喝|坐|闻)[^,这那你]{{1,6}}(?:就|会)(?:犯困|头晕|想吐|胃疼|拉肚子|过敏|心慌|晕|起疹子|失眠)",
        "constraint",
        importance.SAFETY,
        taboo=True,
        standing=True,
        elliptic=True,
    ),
    Rule(
        "zh_household_illness",
        rf"(?:我们?|咱们?)?家里?(?:的)?(?:老太太|老爷子|老人|长辈|老头|老两口|孩子|娃){ADVERB}(?:血糖高|血压高|血脂高|糖尿病|高血压|耳朵背|耳背"
        rf"|腿脚不好|眼神不好|心脏不好|痛风|哮喘|过敏|不能吃[^,]{{1,6}})",
        "fact",
        importance.SAFETY,
        taboo=True,
        elliptic=True,
    ),
)
