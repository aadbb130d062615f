// SPDX-License-Identifier: Apache-2.0

// The SVG writer: text of arbitrary bytes, text in little space, numbers for people.

#include "explain/svg.hpp"

#include <limits>

#include "parsed.hpp"

namespace tropic::detail::svg {
namespace {

TEST(Svg, EscapesWhatXmlReserves) {
  EXPECT_EQ(escaped("a < b & \"c\" > 'd'"), "a &lt; b &amp; &quot;c&quot; &gt; &#39;d&#39;");
  EXPECT_EQ(escaped("]]>"), "]]&gt;");
  EXPECT_EQ(escaped("µ × 行列 🌴"), "µ × 行列 🌴");
}

TEST(Svg, ReplacesWhatIsNoCharacter) {
  const std::string instead = "\xef\xbf\xbd";
  EXPECT_EQ(escaped(std::string_view("a\0b", 3)), "a" + instead + "b");
  EXPECT_EQ(escaped("\x1b[1m"), instead + "[1m");
  EXPECT_EQ(escaped("a\tb\nc"), "a b c");
  EXPECT_EQ(escaped("\xff"), instead);
  EXPECT_EQ(escaped("\xc3"), instead);                // truncated
  EXPECT_EQ(escaped("\xc3(").substr(3), "(");         // the following text is kept
  EXPECT_EQ(escaped("\xc0\xaf"), instead + instead);  // overlong
  EXPECT_EQ(escaped("\xed\xa0\x80"), instead);        // a surrogate
  EXPECT_EQ(escaped("\xef\xbf\xbf"), instead);        // U+FFFF
  EXPECT_EQ(escaped("\xf4\x90\x80\x80"), instead);    // past U+10FFFF
}

TEST(Svg, CutsTextThatDoesNotFit) {
  EXPECT_EQ(fitted("csr_vector", 200, 12), "csr_vector");
  EXPECT_EQ(fitted("", 0, 12), "");
  const std::string cut = fitted("a kernel with a very long name", 100, 12);
  EXPECT_TRUE(cut.starts_with("a kernel"));
  EXPECT_TRUE(cut.ends_with("…"));
  EXPECT_LE(text_width(cut, 12), 100);
  EXPECT_LE(text_width(fitted(std::string(50, 'M'), 100, 12, true), 12, true), 100);
  EXPECT_EQ(fitted("行列行列", 30, 12), "行…");  // never inside a character
}

TEST(Svg, WrapsAtSpacesAndBreaksLongWords) {
  EXPECT_TRUE(wrapped("", 100, 12, 3).empty());
  EXPECT_TRUE(wrapped("   ", 100, 12, 3).empty());
  EXPECT_EQ(wrapped("two words", 500, 12, 3), std::vector<std::string>{"two words"});
  EXPECT_EQ(wrapped(" two  words ", 40, 12, 3), (std::vector<std::string>{"two", "words"}));
  EXPECT_EQ(wrapped("two words", 40, 12, 0), std::vector<std::string>{});
  const auto lines = wrapped(std::string(100, 'x') + " and the end", 120, 12, 3);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_TRUE(lines.back().ends_with("…"));
  for (const std::string& line : lines) EXPECT_LE(text_width(line, 12), 120);
  // A line too narrow for any character takes one.
  EXPECT_EQ(wrapped("abc", 1, 12, 5), (std::vector<std::string>{"a", "b", "c"}));
}

TEST(Svg, GroupsAndShortensNumbers) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(18446744073709551615U), "18,446,744,073,709,551,615");
  EXPECT_EQ(shortened(0), "0");
  EXPECT_EQ(shortened(7.5), "7.5");
  EXPECT_EQ(shortened(999), "999");
  EXPECT_EQ(shortened(1024), "1k");
  EXPECT_EQ(shortened(8192), "8.2k");
  EXPECT_EQ(shortened(262144), "262k");
  EXPECT_EQ(shortened(999999), "1M");
  EXPECT_EQ(shortened(9223372036854775807.0), "9.2E");
}

TEST(Svg, GivesTimesAUnitAndThreeDigits) {
  EXPECT_EQ(seconds(0), "0 s");
  EXPECT_EQ(seconds(1e-9), "1.00 ns");
  EXPECT_EQ(seconds(2e-11), "0.02 ns");
  EXPECT_EQ(seconds(2e-12), "2.0e-12 s");
  EXPECT_EQ(seconds(118e-6), "118 µs");
  EXPECT_EQ(seconds(999.7e-6), "1.00 ms");
  EXPECT_EQ(seconds(12e-3), "12.0 ms");
  EXPECT_EQ(seconds(9.996e-3), "10.0 ms");
  EXPECT_EQ(seconds(3.1), "3.10 s");
  EXPECT_EQ(seconds(4321), "4321 s");
  EXPECT_EQ(seconds(1e300), "1.0e+300 s");
  EXPECT_EQ(seconds(1e-300), "1.0e-300 s");
  EXPECT_EQ(seconds(-1), "unknown");
  EXPECT_EQ(seconds(std::numeric_limits<double>::quiet_NaN()), "unknown");
  EXPECT_EQ(seconds(std::numeric_limits<double>::infinity()), "unknown");
}

TEST(Svg, WritesFiniteNumbersWithTwoDecimals) {
  writer out(100, 50.5, "a & b", "c < d");
  out.rectangle(1.0 / 3, -0.001, 10, std::numeric_limits<double>::quiet_NaN(), "#000000");
  out.begin_tiles("#ffffff");
  out.tile(1, 2, 3.125, 4);
  out.end_tiles();
  const std::string text = std::move(out).finish();
  const auto all = parsed::parse(text);
  EXPECT_EQ(all[0]["viewBox"], "0 0 100 50.5");
  EXPECT_EQ(all[1].text, "a & b");
  EXPECT_EQ(all[2].text, "c < d");
  EXPECT_EQ(all[4]["x"], "0.33");
  EXPECT_EQ(all[4]["y"], "0");
  EXPECT_EQ(all[4]["height"], "0");
  EXPECT_EQ(all[5]["d"], "M1 2H4.12V6H1z");
}

}  // namespace
}  // namespace tropic::detail::svg
