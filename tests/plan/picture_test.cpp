// SPDX-License-Identifier: Apache-2.0

// Pictures of usual and degenerate matrices: well formed, within the page, complete.

#include "explain/picture.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <set>
#include <sstream>

#include "explain/svg.hpp"
#include "parsed.hpp"

namespace tropic::detail {
namespace {

using parsed::element;
using elements = std::vector<element>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr index_t largest = std::numeric_limits<index_t>::max();

/// Entries (r, c) where r * c is small: a few long rows, many short ones.
picture_content usual(index_t rows = 4096, index_t columns = 4096) {
  picture_content c;
  c.title = "kron:12";
  c.subtitle = "4,096 x 4,096; min_plus over fp32 on cuda:0, 100 calls";
  c.rows = rows;
  c.columns = columns;
  c.nnz = 60000;
  c.grid_rows = static_cast<std::uint32_t>(std::min<index_t>(rows, 48));
  c.grid_columns = static_cast<std::uint32_t>(std::min<index_t>(columns, 48));
  for (std::uint64_t r = 0; r < c.grid_rows; ++r)
    for (std::uint64_t k = 0; k < c.grid_columns; ++k) c.density.push_back(1000 / (1 + r * k));
  c.row_lengths = {{0, 0, 1500}, {1, 1, 900}, {2, 3, 700}, {4, 7, 300}, {8, 15, 40}, {16, 31, 1}};
  for (std::size_t b = 0; b < 64; ++b) c.blocks[b] = 640 / (1 + b / 8 + b % 8);
  c.entropy = {1.91, 3.7, 5.4};
  c.candidates = {{.name = "csr_scalar", .predicted_seconds = 2.31e-3, .measured_seconds = 2.9e-3},
                  {.name = "csr_segmented",
                   .predicted_seconds = 118e-6,
                   .measured_seconds = 124e-6,
                   .chosen = true},
                  {.name = "cmrs", .predicted_seconds = 176e-6},
                  {.name = "blocks", .why_not = "0.3 % of the entries lie in blocks"}};
  c.reason = "csr_segmented: the longest row has 3,001 of 60,000 entries";
  return c;
}

picture_content with_times(std::initializer_list<double> times) {
  picture_content c = usual();
  c.candidates.clear();
  for (const double time : times)
    c.candidates.push_back({.name = "k" + std::to_string(c.candidates.size()),
                            .predicted_seconds = time,
                            .measured_seconds = time,
                            .chosen = c.candidates.empty()});
  return c;
}

picture_content long_texts() {
  picture_content c = usual();
  std::string words;
  for (int k = 0; k < 300; ++k) words += "words and words ";
  c.title = c.subtitle = c.reason = words;
  c.candidates[0].name = words;
  c.candidates[1].name = std::string(400, 'W');
  c.candidates[3].why_not = words;
  c.candidates.push_back({.name = words, .why_not = std::string(900, 'M')});
  return c;
}

picture_content hostile_texts() {
  picture_content c = usual();
  c.title = "<script>alert('&amp;')</script>";
  c.subtitle = "a \"quoted\" <name> & ]]> -->";
  c.reason = "\xff\xfe \x01 5 < 6 && \"7\" > '6' \xe2\x82";
  c.candidates[1].name = "<&\"'>";
  c.candidates[3].why_not = "x < y & \"z\"";
  return c;
}

struct sample {
  std::string name;
  picture_content content;
};

std::vector<sample> samples() {
  std::vector<sample> all = {{"nothing at all", {}},
                             {"usual", usual()},
                             {"wide", usual(600, 9000)},
                             {"tall", usual(200000, 64)},
                             {"twice as wide", usual(500, 1000)},
                             {"one row", usual(1, 1000000)},
                             {"one column", usual(1000000, 1)},
                             {"one entry", usual(1, 1)},
                             {"the largest", usual(largest, largest)},
                             {"the widest", usual(1, largest)},
                             {"the tallest", usual(largest, 1)},
                             {"zero times", with_times({0, 0})},
                             {"a zero time", with_times({0, 1e-3, 1e-6})},
                             {"no times", with_times({nan, infinity, -infinity, -1})},
                             {"extreme times", with_times({1e300, 1e-300, 5e-324, 1.7e308})},
                             {"least time", with_times({5e-324})},
                             {"equal times", with_times({1e-3, 1e-3})},
                             {"long texts", long_texts()},
                             {"hostile texts", hostile_texts()}};
  const auto add = [&](const std::string& name, auto change) {
    all.push_back({name, usual()});
    change(all.back().content);
  };
  add("no rows", [](picture_content& c) {
    c = {};
    c.columns = 500;
    c.entropy = {nan, nan, nan};
  });
  add("no columns", [](picture_content& c) {
    c = {};
    c.rows = 500;
    c.row_lengths = {{0, 0, 500}};
  });
  add("no entries", [](picture_content& c) {
    c.nnz = 0;
    std::ranges::fill(c.density, 0U);
    c.blocks = {};
    c.entropy = {};
    c.row_lengths = {{0, 0, 4096}};
  });
  add("no density", [](picture_content& c) { c.density.clear(); });
  add("largest counts", [](picture_content& c) {
    std::ranges::fill(c.density, std::numeric_limits<std::uint64_t>::max());
    c.blocks.fill(std::numeric_limits<std::uint64_t>::max());
    c.row_lengths = {{0, largest, std::numeric_limits<std::uint64_t>::max()},
                     {largest, largest, 1}};
    c.nnz = largest;
    c.rows = 1;
  });
  add("entropy out of bounds", [](picture_content& c) { c.entropy = {-1, infinity, 99}; });
  add("a thousand bins", [](picture_content& c) {
    c.row_lengths.clear();
    for (index_t k = 0; k < 1001; ++k)
      c.row_lengths.push_back({k, k, static_cast<std::uint64_t>(k)});
  });
  add("no candidates", [](picture_content& c) { c.candidates.clear(); });
  add("one candidate", [](picture_content& c) { c.candidates.resize(1); });
  add("only excluded", [](picture_content& c) {
    for (picture_bar& bar : c.candidates) bar.why_not = "no";
  });
  add("nothing measured", [](picture_content& c) {
    for (picture_bar& bar : c.candidates) bar.measured_seconds.reset();
  });
  add("no reason", [](picture_content& c) { c.reason.clear(); });
  return all;
}

struct extent {
  double left, top, right, bottom;
};

extent of_text(const element& e) {
  const double x = e.number("x"), y = e.number("y"), size = e.number("font-size");
  const double width = svg::text_width(e.text, size, e.attributes.contains("font-weight"));
  const auto anchor = e.attributes.find("text-anchor");
  const double before = anchor == e.attributes.end() ? 0
                        : anchor->second == "end"    ? width
                                                     : width / 2;
  if (e.attributes.contains("transform"))
    return {x - size, y - width + before, x + 0.3 * size, y + before};
  return {x - before, y - size, x - before + width, y + 0.3 * size};
}

extent of_path(const element& e) {
  extent all{infinity, infinity, -infinity, -infinity};
  std::string text = e["d"];
  for (char& c : text)
    if (c == 'z') c = ' ';
  for (std::size_t at = 0; at < text.size();) {
    const char command = text[at];
    const std::size_t end = std::min(text.find_first_of("MLHV", at + 1), text.size());
    std::istringstream numbers(text.substr(at + 1, end - at - 1));
    double x = nan, y = nan;
    if (command != 'V') numbers >> x;
    if (command != 'H') numbers >> y;
    EXPECT_TRUE(numbers) << text;
    EXPECT_TRUE((numbers >> std::ws).eof()) << text;
    if (command != 'V') all.left = std::min(all.left, x), all.right = std::max(all.right, x);
    if (command != 'H') all.top = std::min(all.top, y), all.bottom = std::max(all.bottom, y);
    at = end;
  }
  return all;
}

extent of_rectangle(const element& e) {
  const double x = e.attributes.contains("x") ? e.number("x") : 0;
  const double y = e.attributes.contains("y") ? e.number("y") : 0;
  EXPECT_GE(e.number("width"), 0);
  EXPECT_GE(e.number("height"), 0);
  return {x, y, x + e.number("width"), y + e.number("height")};
}

bool is_shown(const elements& all, const std::string& text) {
  return std::ranges::any_of(all,
                             [&](const element& e) { return e.name == "text" && e.text == text; });
}

double width_of_bar(const elements& all, const std::string& fill) {
  for (const element& e : all)
    if (e.name == "rect" && e.inside.find("candidate") != e.inside.npos && e["fill"] == fill)
      return e.number("width");
  throw std::runtime_error("no bar of " + fill);
}

TEST(Picture, IsWellFormedForEveryContent) {
  const std::set<std::string> known = {"svg", "title", "desc", "rect", "text", "path", "g"};
  for (const sample& s : samples()) {
    SCOPED_TRACE(s.name);
    const elements all = parsed::parse(draw(s.content));
    EXPECT_EQ(all[0].name, "svg");
    EXPECT_EQ(all[1].name, "title");
    EXPECT_EQ(all[2].name, "desc");
    for (const element& e : all) EXPECT_TRUE(known.contains(e.name)) << e.name;
  }
}

TEST(Picture, StaysInsideThePage) {
  for (const sample& s : samples()) {
    SCOPED_TRACE(s.name);
    const elements all = parsed::parse(draw(s.content));
    const double width = all[0].number("width"), height = all[0].number("height");
    EXPECT_EQ(all[0]["viewBox"], "0 0 " + all[0]["width"] + " " + all[0]["height"]);
    EXPECT_GT(width, 0);
    EXPECT_LT(height, 2000);
    for (const element& e : all) {
      if (e.name != "text" && e.name != "path" && e.name != "rect") continue;
      const extent place = e.name == "text"   ? of_text(e)
                           : e.name == "path" ? of_path(e)
                                              : of_rectangle(e);
      EXPECT_GE(place.left, 0) << e.name << " " << e.text;
      EXPECT_GE(place.top, 0) << e.name << " " << e.text;
      EXPECT_LE(place.right, width + 0.01) << e.name << " " << e.text;
      EXPECT_LE(place.bottom, height + 0.01) << e.name << " " << e.text;
    }
  }
}

TEST(Picture, TextsDoNotOverlap) {
  for (const sample& s : samples()) {
    SCOPED_TRACE(s.name);
    std::vector<std::pair<extent, std::string>> texts;
    for (const element& e : parsed::parse(draw(s.content)))
      if (e.name == "text") {
        extent place = of_text(e);
        // The height of letters without ascent and descent.
        if (!e.attributes.contains("transform"))
          place.top += 0.25 * e.number("font-size"), place.bottom -= 0.3 * e.number("font-size");
        texts.emplace_back(place, e.text);
      }
    for (std::size_t a = 0; a < texts.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const extent &p = texts[a].first, &q = texts[b].first;
        EXPECT_TRUE(p.right <= q.left || q.right <= p.left || p.bottom <= q.top ||
                    q.bottom <= p.top)
            << texts[a].second << " and " << texts[b].second;
      }
  }
}

TEST(Picture, NeverSaysNanOrInfinity) {
  for (const sample& s : samples()) {
    const std::string text = draw(s.content);
    for (const char* word : {"nan", "inf", "NaN", "Inf"})
      EXPECT_EQ(text.find(word), text.npos) << s.name;
  }
}

TEST(Picture, NeedsNoOtherFile) {
  for (const sample& s : samples()) {
    std::string text = draw(s.content);
    const std::string space = "xmlns=\"http://www.w3.org/2000/svg\"";
    const std::size_t at = text.find(space);
    ASSERT_NE(at, text.npos);
    text.erase(at, space.size());
    for (const char* word : {"http", "href", "url(", "<script", "<style", "@import", "<image"})
      EXPECT_EQ(text.find(word), text.npos) << s.name << ": " << word;
  }
}

TEST(Picture, IsTheSameForTheSameContent) {
  for (const sample& s : samples()) EXPECT_EQ(draw(s.content), draw(s.content)) << s.name;
}

TEST(Picture, ShowsTextAsItIsGiven) {
  const elements all = parsed::parse(draw(hostile_texts()));
  for (const char* text : {"<script>alert('&amp;')</script>", "a \"quoted\" <name> & ]]> -->",
                           "<&\"'>", "x < y & \"z\""})
    EXPECT_TRUE(is_shown(all, text)) << text;
  EXPECT_EQ(all[1].text, "<script>alert('&amp;')</script>");
}

TEST(Picture, NamesEveryCandidateAndMarksTheChosenOne) {
  const elements all = parsed::parse(draw(usual()));
  for (const char* name : {"csr_scalar", "csr_segmented", "cmrs", "blocks"})
    EXPECT_TRUE(is_shown(all, name)) << name;
  for (const char* time : {"2.31 ms", "2.90 ms", "118 µs", "124 µs", "176 µs"})
    EXPECT_TRUE(is_shown(all, time)) << time;
  for (const element& e : all)
    if (e.name == "text" && e.inside.find("candidate") != e.inside.npos) {
      EXPECT_EQ(e.attributes.contains("font-weight"), e.text == "csr_segmented") << e.text;
    }
  const auto is_chosen = [](const element& e) {
    return e.name == "g" && e["class"] == "candidate chosen";
  };
  EXPECT_EQ(std::ranges::count_if(all, is_chosen), 1);
  EXPECT_GT(width_of_bar(all, "#d55e00"), 0);
}

TEST(Picture, SortsCandidatesByPrediction) {
  picture_content c = with_times({nan, 3e-3, 1e-3, 2e-3});
  std::vector<std::string> names;
  for (const element& e : parsed::parse(draw(c)))
    if (e.name == "text" && e.inside.find("candidate") != e.inside.npos && e.text.starts_with("k"))
      names.push_back(e.text);
  EXPECT_EQ(names, (std::vector<std::string>{"k2", "k3", "k1", "k0"}));
}

TEST(Picture, GivesExcludedCandidatesNoBarButTheReason) {
  const elements all = parsed::parse(draw(usual()));
  EXPECT_TRUE(is_shown(all, "0.3 % of the entries lie in blocks"));
  for (const element& e : all)
    EXPECT_FALSE(e.name == "rect" && e.inside.find("excluded") != e.inside.npos);
}

TEST(Picture, BarsAreAsLongAsTheirTimes) {
  picture_content c = usual();
  c.candidates = {{.name = "a", .predicted_seconds = 1e-3, .chosen = true},
                  {.name = "b", .predicted_seconds = 2e-3}};
  elements all = parsed::parse(draw(c));
  EXPECT_NEAR(width_of_bar(all, "#5f7386") / width_of_bar(all, "#d55e00"), 2, 0.01);
  EXPECT_TRUE(is_shown(all, "predicted time of a call"));
  // Far apart, by logarithm: a decade, then two of them.
  c.candidates[0].predicted_seconds = 1e-2;
  c.candidates[1].predicted_seconds = 1;
  all = parsed::parse(draw(c));
  EXPECT_NEAR(width_of_bar(all, "#5f7386") / width_of_bar(all, "#d55e00"), 3, 0.01);
  EXPECT_TRUE(is_shown(all, "predicted time of a call, logarithmic axis"));
}

TEST(Picture, CutsLongTextsAndKeepsThemInTheDescription) {
  const picture_content c = long_texts();
  const elements all = parsed::parse(draw(c));
  EXPECT_TRUE(std::ranges::any_of(all, [](const element& e) {
    return e.name == "text" && e.text.starts_with("words") && e.text.ends_with("…");
  }));
  EXPECT_NE(all[2].text.find(c.reason), std::string::npos);
  for (const picture_bar& bar : c.candidates) {
    EXPECT_NE(all[2].text.find(bar.name), std::string::npos);
    EXPECT_TRUE(std::ranges::any_of(
        all, [&](const element& e) { return e.name == "title" && e.text.starts_with(bar.name); }));
  }
}

/// Of #rrggbb.
int lightness(const std::string& colour) {
  const int all = std::stoi(colour.substr(1), nullptr, 16);
  return (all >> 16) + (all >> 8 & 255) + (all & 255);
}

TEST(Picture, MoreEntriesMakeADarkerCell) {
  picture_content c = usual(1, 4);
  c.grid_rows = 1;
  c.grid_columns = 4;
  c.density = {0, 1, 10, 1000};
  c.blocks = {};
  std::vector<std::string> fills;  // number of cells by level, the palest first
  const elements all = parsed::parse(draw(c));
  double right = 0;
  for (const element& e : all) {
    if (e.name != "path" || !e.attributes.contains("fill")) continue;
    fills.push_back(e["fill"]);
    EXPECT_GE(of_path(e).left, right);  // cells from left to right; the empty one is not drawn
    right = of_path(e).right;
    if (fills.size() == 3) break;
  }
  ASSERT_EQ(fills.size(), 3U);
  EXPECT_GT(lightness(fills[0]), lightness(fills[1]));
  EXPECT_GT(lightness(fills[1]), lightness(fills[2]));
  EXPECT_TRUE(is_shown(all, "1k"));
}

TEST(Picture, SumsBlocksAndTellsTheirEntropy) {
  picture_content c = usual();
  c.blocks = {};
  c.blocks[0] = 1;   // in the first quarter
  c.blocks[27] = 1;  // row 3, column 3: also in the first quarter
  c.blocks[63] = 2;  // in the last quarter
  c.entropy = {1, 1.5, 1.5};
  const elements all = parsed::parse(draw(c));
  const auto halves = [](const element& e) { return e.name == "text" && e.text == "50 %"; };
  EXPECT_EQ(std::ranges::count_if(all, halves), 2);
  EXPECT_TRUE(is_shown(all, "H = 1.00 of 2 bits"));
  EXPECT_TRUE(is_shown(all, "H = 1.50 of 4 bits"));
  EXPECT_TRUE(is_shown(all, "H = 1.50 of 6 bits"));
}

TEST(Picture, CountsRowsByTheirLength) {
  const elements all = parsed::parse(draw(usual()));
  for (const char* label : {"0", "1", "2–3", "4–7", "8–15", "16–31", "mean 14.6"})
    EXPECT_TRUE(is_shown(all, label)) << label;
  EXPECT_TRUE(is_shown(all, "rows by their number of entries, logarithmic axis"));
  std::vector<double> heights;
  for (const element& e : all)
    if (e.name == "rect" && e.inside.find("length") != e.inside.npos)
      heights.push_back(e.number("height"));
  ASSERT_EQ(heights.size(), 6U);
  EXPECT_TRUE(std::ranges::is_sorted(heights, std::greater<>()));
  EXPECT_GT(heights.back(), 1);
}

TEST(Picture, JoinsBinsThatAreTooManyToSee) {
  picture_content c = usual();
  c.row_lengths.clear();
  for (index_t k = 0; k < 1001; ++k) c.row_lengths.push_back({k, k, 1});
  std::vector<double> heights;
  for (const element& e : parsed::parse(draw(c)))
    if (e.name == "rect" && e.inside.find("length") != e.inside.npos) {
      EXPECT_GT(e.number("width"), 4);
      heights.push_back(e.number("height"));
    }
  // 31 bins of 32 rows, and the 9 rows of 992 to 1000 entries.
  ASSERT_EQ(heights.size(), 32U);
  EXPECT_NEAR(heights.back() / heights.front(), 9 / 32.0, 0.01);
}

}  // namespace
}  // namespace tropic::detail
