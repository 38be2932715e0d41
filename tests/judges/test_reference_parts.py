"""Leaving a fact out of a reference site."""

from iwtui.judges.validate import without_fact


def test_a_fact_is_taken_out_with_all_its_parts_and_those_within() -> None:
    html = "a<!-- fact x -->b<!-- fact y -->c<!-- /fact y --><!-- /fact x -->d/* fact x */e/* /fact x */f"
    assert without_fact(html, "x") == "adf"
    assert without_fact(html, "y") == html.replace("<!-- fact y -->c<!-- /fact y -->", "")
    assert without_fact(html, "z") == html
