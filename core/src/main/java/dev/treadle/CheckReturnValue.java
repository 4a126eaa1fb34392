// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.RetentionPolicy.CLASS;

import java.lang.annotation.Retention;
import java.lang.annotation.Target;

/** The result says what the caller must do next. The static analysis fails a build that ignores it. */
@Retention(CLASS)
@Target(METHOD)
@interface CheckReturnValue {}
