// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A block of Java in a Markdown file, and the program that it stands for.
 *
 * <p>A block that declares types is a source file as it stands; without an import or a package line of its own it gets
 * the usual imports. A block of statements becomes the body of a main method. A comment on the line before the block says
 * if something else is around it:
 *
 * <pre>
 * &lt;!-- java: scheduler --&gt;   statements that use a running scheduler of that name
 * &lt;!-- java: members --&gt;     methods and fields of a class
 * </pre>
 *
 * <p>A block sees the types that blocks before it in the same file have declared. Where a line ends with the comment
 * {@code // prints 42}, the program must print {@code 42}: all such comments of a block are what it prints, line by line.
 * A block that is not meant to be compiled is fenced as {@code text}.
 *
 * @param place its file and line
 * @param around what the comment before it says, or nothing
 * @param code what is between the fences
 */
record JavaBlock(String place, String around, String code) {
    private static final Pattern FENCE = Pattern.compile(" {0,3}(`{3,})\\s*(\\S*).*");
    private static final Pattern AROUND = Pattern.compile("<!-- java: (.*?) -->\\s*");
    private static final Pattern TYPE = Pattern.compile(
            "(?m)^(?:(?:public|final|abstract|sealed|non-sealed) +)*(?:class|interface|record|enum) +(\\w+)");
    private static final Pattern HEAD = Pattern.compile("(?m)^(?:import|package) ");
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package +([\\w.]+) *;");
    private static final Pattern PRINTS = Pattern.compile("(?m)// prints (.*)$");
    private static final String IMPORTS = """
            import dev.treadle.*;
            import dev.treadle.Process;
            import dev.treadle.commands.*;
            import dev.treadle.node.*;
            import dev.treadle.relay.*;
            import dev.treadle.simulation.*;
            import java.time.*;
            import java.util.*;
            import java.util.concurrent.*;
            """;

    /** Returns the blocks of Java in a Markdown text. */
    static List<JavaBlock> in(String file, String markdown) {
        var blocks = new ArrayList<JavaBlock>();
        List<String> lines = markdown.lines().toList();
        String before = "";
        for (int i = 0; i < lines.size(); i++) {
            Matcher fence = FENCE.matcher(lines.get(i));
            if (!fence.matches()) {
                before = lines.get(i).isBlank() ? before : lines.get(i);
                continue;
            }
            int start = i + 1;
            do {
                i++;
                if (i == lines.size()) {
                    throw new AssertionError(file + ":" + start + " opens a block that nothing closes: add a fence");
                }
            } while (!lines.get(i).strip().equals(fence.group(1)));
            if (fence.group(2).equals("java")) {
                Matcher around = AROUND.matcher(before);
                String code = String.join("\n", lines.subList(start, i)) + "\n";
                blocks.add(new JavaBlock(file + ":" + start, around.matches() ? around.group(1) : "", code));
            }
            before = "";
        }
        return blocks;
    }

    /** Returns the source file that the block stands for; one of its own making has the given name. */
    String source(String name) {
        return switch (around) {
            case "" -> hasTypes() ? (HEAD.matcher(code).find() ? "" : IMPORTS) + code : program(name, code);
            case "scheduler" ->
                program(name, "try (Scheduler scheduler = Scheduler.builder().start()) {\n" + code + "}\n");
            case "members" -> IMPORTS + "class " + name + " {\n" + code + "}\n";
            default ->
                throw new AssertionError(place + " has \"" + around
                        + "\" before it, must be scheduler or members: see JavaBlock for what they mean");
        };
    }

    private static String program(String name, String statements) {
        return IMPORTS + "class " + name + " {\npublic static void main(String[] args) throws Exception {\n"
                + statements + "}\n}\n";
    }

    private boolean hasTypes() {
        return TYPE.matcher(code).find();
    }

    /** Returns the full name of the type that the source file is about. */
    String typeName(String name) {
        if (!around.isEmpty() || !hasTypes()) {
            return name;
        }
        Matcher of = PACKAGE.matcher(code);
        return (of.find() ? of.group(1) + "." : "") + mainType();
    }

    /** The type with the main method is the last one that begins before it; without a main method the first. */
    private String mainType() {
        int main = code.indexOf("void main(");
        Matcher type = TYPE.matcher(code);
        String found = "";
        while (type.find() && (found.isEmpty() || type.start() < main)) {
            found = type.group(1);
        }
        return found;
    }

    /** Returns what it says that it prints. */
    List<String> prints() {
        return PRINTS.matcher(code).results().map(result -> result.group(1)).toList();
    }
}
