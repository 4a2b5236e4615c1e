"""Error messages for people, in English and Chinese; the API's own are English and less specific."""

from __future__ import annotations

from typing import Final

REFUSALS: Final = {
    "not_found": ("There is nothing here, or it is not yours", "这里没有内容，或不属于你"),
    "conversation_forgotten": ("This conversation was forgotten", "这次会话已忘掉"),
    "credentials_missing": ("Credentials are needed", "需要凭据"),
    "credentials_invalid": ("The token is not valid here", "令牌在此无效"),
    "credentials_expired": ("The token has expired", "令牌已过期"),
    "user_id_required": ("The service key needs --user: whose memory", "使用服务密钥时须用 --user 指明是谁的记忆"),
    "confirmation_required": ("The confirmation phrase is needed", "需要确认短语"),
    "selection_changed": (
        "Something changed since it was found; nothing was forgotten, find it again",
        "找到之后内容有了变化，什么都没有忘掉，请重新查找",
    ),
    "nothing_sure": ("Nothing that was found is sure; say which ids are to go", "没有确定的结果，请指明要忘掉哪些 id"),
    "selection_invalid": ("What was found is too old; find it again", "查找结果已过期，请重新查找"),
    "too_late_to_undo": ("Too late to undo, or it cannot be undone", "来不及撤销了，或无法撤销"),
    "undo_too_long": (
        "Nothing can be undone for that long here; ask for fewer seconds",
        "这里不能保留这么久的撤销时间，请减少秒数",
    ),
    "export_gone": (
        "The package is gone: something in it was forgotten, or its time is over; export again",
        "数据包已不在：其中有内容被忘掉，或已过期；请重新导出",
    ),
    "export_not_ready": ("The package is still being written", "数据包仍在生成"),
    "too_many_exports": (
        "You already have ten packages; they are deleted when they expire",
        "已经有十个数据包，到期后会自动删除",
    ),
    "too_many_imports": (
        "Enough imports are waiting; try again when one has ended",
        "等待中的导入已经够多，请等其中一个结束后再试",
    ),
    "import_overtaken": (
        "Everything was forgotten meanwhile, or the file came too slowly; nothing was imported",
        "其间已忘掉一切，或者文件传得太慢，没有导入任何内容",
    ),
    "import_restores_forgotten": (
        "You forgot everything since this file was made; --restore-forgotten brings what it holds back",
        "此文件生成之后你忘掉过一切；可用 --restore-forgotten 恢复其中的内容",
    ),
    "unsupported_media_type": ("This is neither a zip nor a JSON document", "这不是 ZIP，也不是 JSON 文件"),
    "replay_needed": (
        "A backup was restored; nothing is served until its forgets were repeated",
        "系统恢复过备份，重做其中的遗忘之前不提供任何内容",
    ),
    "ledger_missing": (
        "The record of what was forgotten is gone. Nothing is shown until the operator puts it back",
        "遗忘记录不见了。在管理员恢复它之前，什么都不显示",
    ),
    "ledger_unavailable": (
        "The record of what was forgotten cannot be read. Nothing is shown until it can",
        "暂时读不到遗忘记录。在能读到之前，什么都不显示",
    ),
    "ledger_not_shared": (
        "Several machines do not share the record of what was forgotten; nothing is shown until they do",
        "系统在多台机器上运行，却没有共用遗忘记录。在管理员处理之前，什么都不显示",
    ),
    "packages_not_shared": (
        "Several machines do not share their files; nothing is shown until the operator changes that",
        "系统在多台机器上运行，却没有共用文件。在管理员处理之前，什么都不显示",
    ),
    "vectors_not_shared": (
        "Several machines do not share their search index; nothing is shown until the operator changes that",
        "系统在多台机器上运行，却没有共用检索库。在管理员处理之前，什么都不显示",
    ),
    "embedder_unavailable": (
        "The server is busy reading. Nothing was changed; try again in a moment",
        "服务器正忙，暂时无法分析内容。什么都没有改变，请稍后再试",
    ),
    "encoding_not_accepted": ("The request must be UTF-8 and not compressed", "请求必须是 UTF-8，且不能压缩"),
    "too_many_terms": ("That names too much at once; describe it in fewer words", "一次说的内容太多，请少用几个词"),
    "already_looking": ("Your last description is still being looked for", "上一次的描述还在查找"),
    "took_too_long": (
        "Looking through everything took too long; nothing was changed, use fewer words or name a --project",
        "查找全部内容花的时间太长，什么都没有改变；请少用几个词，或用 --project 指明项目",
    ),
    "busy": ("Memory Center is busy; nothing was changed, try again", "系统正忙，什么都没有改动，请重试"),
    # files to import
    "package_too_large": ("It is larger than this installation accepts", "文件超过了本系统接受的大小"),
    "package_too_large_unpacked": (
        "Unpacked it would be larger than this installation accepts",
        "解压后会超过本系统接受的大小",
    ),
    "package_too_many_entries": (
        "It holds more files or entries than this installation accepts",
        "其中的文件或条目超过了本系统接受的数量",
    ),
    "package_record_too_large": ("One of its entries is larger than any may be", "其中有一条内容过大"),
    "package_unknown_format": (
        "It is none of the files that can be read here. Choose a ZIP or JSON export as it was downloaded",
        "这不是可以读取的文件。请选择下载时原样的 ZIP 或 JSON 导出文件",
    ),
    "package_version_unsupported": (
        "It was made by a version that is not known here. Update this installation first",
        "生成它的版本在这里无法识别，请先升级本系统",
    ),
    "package_unsupported_compression": (
        "It is compressed in a way that is not read here. Pack it again as an ordinary ZIP",
        "它的压缩方式在这里无法读取，请重新打包成普通的 ZIP",
    ),
    "package_encrypted": (
        "It is protected by a password. Unpack it, and pack it again without",
        "它有密码保护。请解压后不加密码重新打包",
    ),
    "package_malformed": ("It is damaged or incomplete. Download it again", "文件已损坏或不完整，请重新下载"),
    "package_unsafe_path": (
        "It contains files with unsafe paths and was not opened",
        "其中有文件指向包外，这样的文件不会打开",
    ),
    "package_digest_mismatch": (
        "A part of it was changed after it was made. Use the file as it was downloaded",
        "其中有部分内容在生成之后被改动过，请使用下载时的原文件",
    ),
    "package_schema_mismatch": ("An entry does not have the required format", "其中有一条的格式不符合要求"),
    "package_text_unstorable": ("A text in it holds characters that cannot be kept", "其中的文字含有无法保存的字符"),
    "package_file_missing": ("A file that it should hold is missing", "缺少应有的文件"),
    "package_file_unlisted": ("It holds a file that does not belong to it", "含有不属于它的文件"),
    "package_duplicate_entry": ("It holds the same file twice", "同一个文件出现了两次"),
    "package_duplicate_id": ("It holds two entries with the same number", "有两条内容的编号相同"),
    "package_out_of_order": ("Its entries are not in the order they were written in", "条目的顺序与写入时不同"),
    "package_references_missing": ("An entry refers to something that is not in it", "有一条引用了包里没有的内容"),
    "package_several_people": (
        "It holds the memories of several people. Import one person's only",
        "其中有好几个人的记忆，请只导入一个人的",
    ),
}
"""Code of a problem document → English and Chinese, without the full stop."""
