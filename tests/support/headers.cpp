// SPDX-License-Identifier: Apache-2.0
// Empty: the headers that test programs include are precompiled for this source
// (tests/CMakeLists.txt).
