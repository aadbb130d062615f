// SPDX-License-Identifier: Apache-2.0

// Matrix Market: every layout, field and symmetry.

#include "samples.hpp"

namespace tropic::io::samples {
namespace {

coordinates mm(std::string_view text, const read_options& options = {}) {
  return read_each_way(text, file_format::matrix_market, options);
}

TEST(MatrixMarket, CoordinateGeneralKeepsFileOrderDuplicatesAndZeros) {
  const coordinates m = mm(
      "%%MatrixMarket matrix coordinate real general\n% c\n\n3 4 4\n3 4 1.5\n1 1 0\n% between\n\n"
      "2 2 -2e1\n1 1 7\n");
  EXPECT_EQ(m.rows, 3);
  EXPECT_EQ(m.columns, 4);
  EXPECT_EQ(places_of(m), (places{{2, 3}, {0, 0}, {1, 1}, {0, 0}}));
  EXPECT_EQ(values_of<double>(m), (std::vector<double>{1.5, 0, -20, 7}));
  EXPECT_FALSE(m.symmetric);
  EXPECT_EQ(m.stored, 4);
}

TEST(MatrixMarket, FieldsDecideTheTypeUnlessAGraphBlasLineDoes) {
  EXPECT_EQ(mm("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 5\n").type,
            type_code::int64);
  const coordinates small = mm(
      "%%MatrixMarket matrix coordinate integer general\n%%GraphBLAS type uint8_t\n1 1 1\n1 1 255");
  EXPECT_EQ(values_of<std::uint8_t>(small), (std::vector<std::uint8_t>{255}));
  const coordinates iso =
      mm("%%MatrixMarket matrix coordinate pattern general\n%%GraphBLAS type int32_t\n2 2 2\n1 "
         "2\n2 2\n");
  EXPECT_TRUE(iso.pattern);
  EXPECT_EQ(values_of<std::int32_t>(iso), (std::vector<std::int32_t>{1}));
  EXPECT_EQ(mm("%%MatrixMarket matrix coordinate pattern general\n1 1 0\n").type,
            type_code::boolean);
  const coordinates infinite = mm(
      "%%MatrixMarket matrix coordinate integer general\n%%GraphBLAS type double\n1 1 1\n1 1 -inf");
  EXPECT_EQ(numbers_of(infinite), (std::vector<double>{-std::numeric_limits<double>::infinity()}));
}

TEST(MatrixMarket, SymmetricListsTheDiagonalOnceAndBothTriangles) {
  const coordinates m =
      mm("%%MatrixMarket matrix coordinate integer symmetric\n3 3 3\n1 1 4\n3 1 5\n3 2 6\n");
  EXPECT_EQ(places_of(m), (places{{0, 0}, {2, 0}, {2, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(numbers_of(m), (std::vector<double>{4, 5, 6, 5, 6}));
  EXPECT_TRUE(m.symmetric);
  EXPECT_EQ(m.stored, 3);
}

TEST(MatrixMarket, SkewSymmetricNegatesTheMirrorImage) {
  const coordinates m =
      mm("%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 2\n2 1 4\n3 1 -5\n");
  EXPECT_EQ(places_of(m), (places{{1, 0}, {2, 0}, {0, 1}, {0, 2}}));
  EXPECT_EQ(numbers_of(m), (std::vector<double>{4, -5, -4, 5}));
  EXPECT_FALSE(m.symmetric);
}

TEST(MatrixMarket, HermitianConjugatesTheMirrorImage) {
  const coordinates m =
      mm("%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 3 0\n2 1 1 2\n");
  EXPECT_TRUE(m.complex);
  EXPECT_EQ(places_of(m), (places{{0, 0}, {1, 0}, {0, 1}}));
  EXPECT_EQ(numbers_of(m), (std::vector<double>{3, 0, 1, 2, 1, -2}));
}

TEST(MatrixMarket, ArraysRunDownTheColumns) {
  const coordinates m = mm("%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n0\n");
  EXPECT_EQ(places_of(m), (places{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(numbers_of(m), (std::vector<double>{1, 2, 3, 4, 5, 0}));
}

TEST(MatrixMarket, TriangularArraysFillTheOtherTriangle) {
  const coordinates symmetric =
      mm("%%MatrixMarket matrix array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n");
  EXPECT_EQ(places_of(symmetric),
            (places{{0, 0}, {1, 0}, {2, 0}, {1, 1}, {2, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(numbers_of(symmetric), (std::vector<double>{1, 2, 3, 4, 5, 6, 2, 3, 5}));
  const coordinates skew = mm("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n");
  EXPECT_EQ(places_of(skew),
            (places{{1, 0}, {2, 0}, {2, 1}, {0, 1}, {0, 2}, {1, 2}, {0, 0}, {1, 1}, {2, 2}}));
  EXPECT_EQ(numbers_of(skew), (std::vector<double>{1, 2, 3, -1, -2, -3, 0, 0, 0}));
  const coordinates hermitian =
      mm("%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 3\n4 0\n");
  EXPECT_EQ(numbers_of(hermitian), (std::vector<double>{1, 0, 2, 3, 4, 0, 2, -3}));
  EXPECT_EQ(mm("%%MatrixMarket matrix array real skew-symmetric\n1 1\n").entries(), 1);
  EXPECT_EQ(mm("%%MatrixMarket matrix array real symmetric\n0 0\n").entries(), 0);
}

TEST(MatrixMarket, WithoutABannerItIsRealGeneral) {
  EXPECT_EQ(numbers_of(mm("2 2 1\n2 1 .5\n")), (std::vector<double>{.5}));
  EXPECT_EQ(numbers_of(mm("% hello\n1 2\n.5\n7\n")), (std::vector<double>{.5, 7}));
}

TEST(MatrixMarket, TakesWindowsLineEndsTabsAndAnyCase) {
  const coordinates m =
      mm("%%matrixmarket MATRIX Coordinate REAL General\r\n2\t2 1\r\n  2\t1  5 \r\n\r\n");
  EXPECT_EQ(places_of(m), (places{{1, 0}}));
}

TEST(MatrixMarket, ASinglePercentBannerNeedsALenientRead) {
  constexpr std::string_view text =
      "%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n";
  EXPECT_EQ(complaint(text, file_format::matrix_market),
            "f:1: found '%MatrixMarket', expected '%%MatrixMarket' (a lenient read takes a single "
            "'%')");
  read_options lenient;
  lenient.lenient = true;
  EXPECT_TRUE(mm(text, lenient).symmetric);
}

TEST(MatrixMarket, ValuesConvertToTheTypeThatIsAskedFor) {
  constexpr std::string_view text =
      "%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 1 3\n2 2 300\n";
  read_options options;
  options.type = type_code::fp32;
  EXPECT_EQ(values_of<float>(mm(text, options)), (std::vector<float>{3, 300}));
  options.type = type_code::uint8;
  EXPECT_EQ(complaint(text, file_format::matrix_market, options),
            "f:4: found '300', expected an integer from 0 to 255");
  options.type = type_code::int16;
  EXPECT_EQ(mm("%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n", options).type,
            type_code::int16);
}

TEST(MatrixMarket, UndirectedMirrorsAGeneralSquareMatrix) {
  read_options options;
  options.undirected = true;
  const coordinates m =
      mm("%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n3 3\n", options);
  EXPECT_EQ(places_of(m), (places{{0, 1}, {2, 2}, {1, 0}}));
  EXPECT_TRUE(m.symmetric);
  EXPECT_EQ(complaint("%%MatrixMarket matrix coordinate pattern general\n2 3 0\n",
                      file_format::matrix_market, options),
            "f: an undirected graph needs a square matrix, this is 2x3");
}

TEST(MatrixMarket, GiantDimensionsCostNothing) {
  const coordinates m =
      mm("%%MatrixMarket matrix coordinate pattern general\n4294967296 4294967296 1\n"
         "4294967296 4294967296\n");
  EXPECT_EQ(m.row[0], 4294967295U);
  EXPECT_EQ(mm("%%MatrixMarket matrix coordinate real general\n0 0 0\n").rows, 0);
}

TEST(MatrixMarket, AnEntryIsTracedToItsLine) {
  constexpr std::string_view text =
      "%%MatrixMarket matrix coordinate pattern symmetric\n% c\n3 3 3\n1 1\n\n2 1\n3 1\n";
  const coordinates m = mm(text);
  const auto line = [&](index_t k) {
    return line_of_entry(text, file_format::matrix_market, m, k);
  };
  EXPECT_EQ(line(0), 4U);
  EXPECT_EQ(line(1), 6U);
  EXPECT_EQ(line(2), 7U);
  EXPECT_EQ(line(3), 6U);
  EXPECT_EQ(line(4), 7U);
  EXPECT_THROW(line(5), usage_error);
}

TEST(MatrixMarket, ProgressAscendsAndCanCancel) {
  std::string text = "%%MatrixMarket matrix coordinate pattern general\n9 9 1000\n";
  for (int k = 0; k < 1000; ++k) text += "1 2\n";
  read_options options;
  options.chunk_bytes = 1;
  double last = -1;
  options.progress = [&](double share) {
    EXPECT_GE(share, last);
    last = share;
    return true;
  };
  options.threads = 1;
  read_text(text, file_format::matrix_market, "f", options);
  EXPECT_DOUBLE_EQ(last, 1);
  options.progress = [](double share) { return share < 0.5; };
  options.threads = 2;
  EXPECT_THROW(read_text(text, file_format::matrix_market, "f", options), cancelled);
}

}  // namespace
}  // namespace tropic::io::samples
