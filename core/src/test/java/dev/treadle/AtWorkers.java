// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import java.lang.annotation.Retention;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs a test with 1, 2 and 8 workers, as every line of the contract must hold: the test takes their number. */
@Retention(RUNTIME)
@Target(METHOD)
@ParameterizedTest(name = "{0} workers")
@ValueSource(ints = {1, 2, 8})
@interface AtWorkers {}
