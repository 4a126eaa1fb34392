// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every block of Java in the documentation compiles, runs, and prints what it says; {@link JavaBlock} tells how. */
class DocumentationTest {
    private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();
    private static final int FIRST_PROGRAM_LINES_MAX = 15;
    private static final Pattern LINK = Pattern.compile("\\]\\((?![a-z]+:)([^)#\\s]+)(?:#[^)]*)?\\)");

    @TempDir
    Path temp;

    @TestFactory
    Stream<DynamicContainer> documentedPrograms() throws IOException {
        return markdownFiles().stream().map(file -> {
            String name = REPOSITORY.relativize(file).toString();
            var programs = new DocumentedPrograms(folder(name));
            return DynamicContainer.dynamicContainer(
                    name,
                    JavaBlock.in(name, read(file)).stream()
                            .map(block -> dynamicTest(block.place(), () -> programs.check(block))));
        });
    }

    /** What a newcomer sees first. */
    @Test
    void theFirstProgramOfTheReadmeIsShortAndShowsTheImportThatIsNeeded() {
        JavaBlock first =
                JavaBlock.in("README.md", read(REPOSITORY.resolve("README.md"))).get(0);

        assertThat(first.code().lines()).hasSizeLessThanOrEqualTo(FIRST_PROGRAM_LINES_MAX);
        assertThat(first.code()).contains("import dev.treadle.Process;");
        assertThat(first.prints()).isNotEmpty();
    }

    @Test
    void linksLeadToFilesThatAreThere() throws IOException {
        assertThat(markdownFiles())
                .isNotEmpty()
                .allSatisfy(file -> assertThat(brokenLinks(file, read(file)))
                        .as("links in %s to what is not there", REPOSITORY.relativize(file))
                        .isEmpty());
    }

    private static List<String> brokenLinks(Path file, String markdown) {
        return LINK.matcher(markdown)
                .results()
                .map(link -> link.group(1))
                .filter(link -> !Files.exists(file.resolveSibling(link)))
                .toList();
    }

    private static List<Path> markdownFiles() throws IOException {
        try (Stream<Path> top = Files.list(REPOSITORY);
                Stream<Path> examples = Files.list(REPOSITORY.resolve("examples"));
                Stream<Path> docs = Files.walk(REPOSITORY.resolve("docs"))) {
            return Stream.of(top, examples, docs)
                    .flatMap(files -> files)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    private Path folder(String name) {
        try {
            return Files.createDirectories(temp.resolve(name.replaceAll("\\W", "_")));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The checks above can fail. */
    @Nested
    class GivenMarkdown {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "System.out.println(1 + 1); // prints 2",
                    "record Point(int x) {}",
                    "interface Shape {}\nfinal class Dot implements Shape {\n  static void main(String[] a) {\n"
                            + "    System.out.println(7); // prints 7\n  }\n}",
                    "import dev.treadle.Process;\nclass Nothing {\n  Process process = Process.of((events, out) -> {});\n}",
                    "package some.where;\npublic class Here {\n  public static void main(String[] a) {}\n}"
                })
        void whenTheBlockIsRight_thenItPasses(String code) {
            assertThatCode(() -> check("```java\n" + code + "\n```\n")).doesNotThrowAnyException();
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "int x = \"text\";",
                    "record Point(int x) { int y; }",
                    "System.out.println(1 + 1); // prints 3",
                    "System.out.println(1); // prints 1\nSystem.out.println(2);",
                    "throw new Exception();",
                    "class Empty {} // prints 1",
                    "scheduler.stats();"
                })
        void whenTheBlockIsWrong_thenItFailsAndSaysWhere(String code) {
            assertThatThrownBy(() -> check("A line.\n\n```java\n" + code + "\n```\n"))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("some.md:3");
        }

        @Test
        void whenACommentSaysWhatIsAround_thenItIs() throws Exception {
            check(
                    "<!-- java: scheduler -->\n```java\nSystem.out.println(scheduler.stats().alive()); // prints 0\n```\n");
            check("<!-- java: members -->\n\n```java\nprivate int x;\nint x() { return x; }\n```\n");
            assertThatThrownBy(() -> check("<!-- java: magic -->\n```java\nint x;\n```\n"))
                    .hasMessageContaining("some.md:2 has \"magic\" before it, must be scheduler or members");
        }

        @Test
        void whenBlocksFollowEachOther_thenTheLaterSeesTheTypesOfTheEarlier() throws Exception {
            check(
                    "```java\nrecord Sum(int of) {}\n```\ntext\n```java\nSystem.out.println(new Sum(3)); // prints Sum[of=3]\n```\n");
        }

        @Test
        void whenTheBlockIsNotJava_thenItIsPassedOver() {
            assertThat(JavaBlock.in(
                            "some.md", "```text\nint x =\n```\n```\n```java\n```\n````md\n```java\n```\n````\n"))
                    .isEmpty();
        }

        @Test
        void whenABlockIsNotClosed_thenItIsAnError() {
            assertThatThrownBy(() -> JavaBlock.in("some.md", "\n```java\nint x;\n"))
                    .hasMessageContaining("some.md:2 opens a block that nothing closes");
        }

        @Test
        void whenALinkLeadsNowhere_thenItIsFound() {
            String markdown =
                    "[a](README.md) [b](docs/no.md) [c](https://no.where/x) [d](README.md#x) [e](no#x) [f](#x)";

            assertThat(brokenLinks(REPOSITORY.resolve("some.md"), markdown)).containsExactly("docs/no.md", "no");
        }

        private void check(String markdown) throws Exception {
            var programs = new DocumentedPrograms(temp);
            for (JavaBlock block : JavaBlock.in("some.md", markdown)) {
                programs.check(block);
            }
        }
    }
}
