// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.observe;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Words for what belongs to users: short, and without running code of theirs that could fail or take long. */
final class Text {
    static final int LENGTH_MAX = 200;
    static final int FRAMES_MAX = 64;

    private Text() {}

    static String shortened(String text) {
        return text.length() <= LENGTH_MAX ? text : text.substring(0, LENGTH_MAX) + "…";
    }

    /** Describes a value by its class, and by its text where that cannot fail. */
    static String describe(@Nullable Object value) {
        if (value == null) {
            return "null";
        }
        if (value instanceof String text) {
            return '"' + shortened(text) + '"';
        }
        Class<?> type = value.getClass();
        boolean simple = value instanceof Boolean
                || value instanceof Character
                || value instanceof Enum<?>
                || (value instanceof Number && type.getName().startsWith("java.lang."));
        if (!simple) {
            return type.getTypeName();
        }
        return (value instanceof Enum<?> constant ? constant.name() : value) + " (" + type.getSimpleName() + ")";
    }

    /** Returns class and message of a throwable whose own code may throw as well. */
    static String describe(Throwable thrown) {
        String type = thrown.getClass().getTypeName();
        try {
            String message = thrown.getMessage();
            return message == null ? type : shortened(type + ": " + message);
        } catch (Throwable broken) {
            return type + " (its message cannot be read)";
        }
    }

    static List<String> frames(List<StackTraceElement> stack) {
        var frames = new ArrayList<String>();
        for (StackTraceElement frame : stack) {
            if (frames.size() == FRAMES_MAX) {
                frames.add((stack.size() - FRAMES_MAX) + " more");
                break;
            }
            frames.add(frame.toString());
        }
        return frames;
    }
}
