"""What a Mandarin speaker would say."""

from __future__ import annotations

import pytest

from engine.text.normalise import spoken_form
from engine.text.numerals_zh import cardinal, settled
from engine.text.tokens import comparable_form
from tests.shared import case, needs_shared


def said(text: str) -> str:
    return comparable_form(spoken_form(text).text)


@needs_shared
@pytest.mark.parametrize("name", ["numbers-quantity-or-year", "numbers-telephone", "numbers-in-names"])
def test_the_recorded_cases_are_said_in_one_of_the_right_ways(name: str) -> None:
    for item in case(name)["expect"]["items"]:
        form = said(item["text"])
        assert form in [comparable_form(right) for right in item["any_of"]], item["text"]
        assert not any(wrong in form for wrong in item.get("never", [])), item["text"]


@pytest.mark.parametrize(
    ("digits", "words"),
    {
        "0": "零",
        "10": "十",
        "11": "十一",
        "19": "十九",
        "20": "二十",
        "101": "一百零一",
        "110": "一百一十",
        "1010": "一千零一十",
        "10000": "一万",
        "10010": "一万零一十",
        "100000": "十万",
        "100005": "十万零五",
        "110000": "十一万",
        "200000": "二十万",
        "1000000": "一百万",
        "100000000": "一亿",
        "1000000000": "十亿",
        "100001202": "一亿零一千二百零二",
        "1,234": "一千二百三十四",
        "1000000000000": "一万亿",
        "1234567890123": "一万二千三百四十五亿六千七百八十九万零一百二十三",
        "12345678901234567": "一二三四五六七八九零一二三四五六七",
    }.items(),
)
def test_a_whole_number_is_read_as_a_quantity(digits: str, words: str) -> None:
    assert settled(cardinal(digits)) == words


@pytest.mark.parametrize(
    ("written", "right"),
    {
        "12.5%": "百分之十二点五",
        "50%-60%": "百分之五十到百分之六十",
        "10-20%": "百分之十到二十",
        "3‰": "千分之三",
        "-5%": "负百分之五",
        "3/4": "四分之三",
        "1½": "一又二分之一",
        "1 1/2": "一又二分之一",
        "10:30": "十点三十",
        "08:05": "八点零五",
        "9:00": "九点",
        "10:30:05": "十点三十分零五秒",
        "08:30-09:15": "八点三十到九点十五",
        "比例为1:10": "比例为一比十",
        "16:9": "十六比九",
        "比分3-1": "比分三比一",
        "2024-05-01": "二零二四年五月一日",
        "2024/5/1": "二零二四年五月一日",
        "2024-05": "二零二四年五月",
        "05月08日": "五月八日",
        "1998-2003年": "一九九八到二零零三年",
        "（1368—1644）": "一三六八到一六四四",
        "1860年代": "一八六零年代",
        "2010s": "二零一零年代",
        "2000多年": "两千多年",
        "5000年历史": "五千年历史",
        "1500年前": "一千五百年前",
        "2000年的奥运会": "二零零零年的奥运会",
        "2020年前后": "二零二零年前后",
        "-5℃": "零下五摄氏度",
        "零下-0.5": "零下负零点五",
        "气温-5度": "气温零下五度",
        "1e5": "一乘十的五次方",
        "10^8": "十的八次方",
        "10⁸": "十的八次方",
        "6.02×10^23": "六点零二乘十的二十三次方",
        "1,234.5元": "一千二百三十四点五元",
        "12,345,678": "一千二百三十四万五千六百七十八",
        "$100": "一百美元",
        "¥3.5万": "三点五万元",
        "HK$20": "二十港元",
        "US$1.5 million": "一点五百万美元",
        "$5-10": "五到十美元",
        "100€": "一百欧元",
        "5kg": "五千克",
        "100m²": "一百平方米",
        "60km/h": "六十千米每小时",
        "3-5cm": "三到五厘米",
        "25°C": "二十五摄氏度",
        "45°": "四十五度",
        "0.1～0.2寸": "零点一到零点二寸",
        "~500": "约五百",
        "3+5=8": "三加五等于八",
        "10-1=9": "十减一等于九",
        "7×24": "七乘二十四",
        "x²": "x的平方",
        "a≤b": "a小于等于b",
        "192.168.1.1": "一九二点一六八点一点一",
        "v1.5.2": "v一点五点二",
        "1080P": "一零八零P",
        "007": "零零七",
        "Top10": "Top十",
        "978-7-111": "九七八七一一一",
        "400-820-8820": "四零零八二零八八二零",
        "+86 13800138000": "加八六一三八零零一三八零零零",
        "40，000公里": "四万公里",
        "100，200，300": "一百二百三百",
        "编号100到109": "编号一百到一百零九",
        "电话费100元": "电话费一百元",
        "拨打了120次": "拨打了一百二十次",
        "验证码是8848": "验证码是八八四八",
        "iPhone 5s": "iPhone五s",
        "3D": "三D",
        "128GB": "一百二十八GB",
        "１２％": "百分之十二",
        "①": "一",
        "٣个": "三个",
        "二〇二四": "二零二四",
        "拨幺幺零": "拨一一零",
        "幺蛾子": "幺蛾子",
        "臺灣鐵路": "台湾铁路",
        "-0": "负零",
        ".5": "零点五",
        "他/她": "他她",
        "C++": "C",
    }.items(),
)
def test_numbers_and_signs_are_said_by_what_stands_around_them(written: str, right: str) -> None:
    assert said(written) == right


def test_a_digit_two_is_free_only_where_speakers_differ() -> None:
    assert spoken_form("200").either == (0,)
    assert spoken_form("2个").either == (0,)
    assert spoken_form("第2名").either == ()
    assert spoken_form("2024年2月2日").either == ()
    assert spoken_form("12").either == ()
    assert spoken_form("全国两会").either == ()


def test_each_rule_says_what_it_changed_and_where() -> None:
    text = "涨了**12.5%**，共２个"
    form = spoken_form(text)
    assert form.text == "涨了百分之十二点五，共两个"
    rules = {rule.name: rule for rule in form.rules}
    assert (rules["percent"].before, rules["percent"].after, rules["percent"].start) == ("12.5%", "百分之十二点五", 4)
    assert (rules["width"].before, rules["width"].after, rules["width"].start) == ("２", "2", text.index("２"))
    assert rules["number"].start == text.index("２")
    assert rules["emphasis"].before == "**"


def test_a_plain_text_is_left_alone_and_no_rule_is_reported() -> None:
    form = spoken_form("今天天气很好，我们去公园吧。")
    assert form.text == "今天天气很好，我们去公园吧。"
    assert form.rules == ()
