// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles and runs the blocks of Java of one Markdown file, in order. */
final class DocumentedPrograms {
    private final Path classes;
    private int number;

    /** Takes the folder for the classes, one for each Markdown file. */
    DocumentedPrograms(Path classes) {
        this.classes = classes;
    }

    /** Compiles a block, runs it if it has a main method, and compares what it prints with what it says. */
    void check(JavaBlock block) throws Exception {
        String name = "Block" + ++number;
        compile(block, block.source(name), block.typeName(name));
        String printed = run(block, block.typeName(name));
        if (!block.prints().isEmpty()) {
            assertThat(printed.lines())
                    .as("what the program at %s prints", block.place())
                    .containsExactlyElementsOf(block.prints());
        }
    }

    private void compile(JavaBlock block, String source, String typeName) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        var problems = new StringWriter();
        String classPath = classes + System.getProperty("path.separator") + System.getProperty("java.class.path");
        List<String> options =
                List.of("--release", "17", "-proc:none", "-d", classes.toString(), "-classpath", classPath);
        boolean compiled = compiler.getTask(problems, null, null, options, null, List.of(file(typeName, source)))
                .call();
        assertThat(compiled)
                .as("%s compiles:%n%s%nin%n%s", block.place(), problems, source)
                .isTrue();
    }

    private static JavaFileObject file(String typeName, String source) {
        URI uri = URI.create("string:///" + typeName.replace('.', '/') + JavaFileObject.Kind.SOURCE.extension);
        return new SimpleJavaFileObject(uri, JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
    }

    /** Runs its main method, if there is one, and returns what it printed. */
    private String run(JavaBlock block, String typeName) throws Exception {
        var printed = new ByteArrayOutputStream();
        PrintStream before = System.out;
        URL[] path = {classes.toUri().toURL()};
        try (var loader = new URLClassLoader(path, getClass().getClassLoader());
                var out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            Method main = loader.loadClass(typeName).getDeclaredMethod("main", String[].class);
            main.setAccessible(true);
            System.setOut(out);
            main.invoke(null, (Object) new String[0]);
        } catch (NoSuchMethodException e) {
            assertThat(block.prints())
                    .as("%s has no main method, and prints nothing", block.place())
                    .isEmpty();
        } catch (InvocationTargetException e) {
            throw new AssertionError("the program at " + block.place() + " failed", e.getCause());
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }
}
