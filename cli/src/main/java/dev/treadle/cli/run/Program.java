// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.cli.run;

import dev.treadle.CommandRegistry;
import dev.treadle.Process;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The classes of a program, from jars and folders. */
public final class Program implements Closeable {
    private final List<Path> classPath;
    private final URLClassLoader loader;
    private final String print;

    /** Opens a class path. */
    public Program(List<Path> classPath) {
        this.classPath = List.copyOf(classPath);
        this.loader = new URLClassLoader(
                classPath.stream().map(Program::url).toArray(URL[]::new), Program.class.getClassLoader());
        this.print = fingerprint(classPath);
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("class path entry " + path + " cannot be used: " + e.getMessage(), e);
        }
    }

    /** Returns whether these are the same files, unchanged. For a folder its own time counts, not that of what is in it. */
    boolean isSame(List<Path> others) {
        return print.equals(fingerprint(others));
    }

    private static String fingerprint(List<Path> classPath) {
        var print = new StringBuilder();
        for (Path path : classPath) {
            print.append(path).append('|');
            try {
                print.append(Files.size(path)).append('|').append(Files.getLastModifiedTime(path));
            } catch (IOException e) {
                print.append("gone");
            }
            print.append('\n');
        }
        return print.toString();
    }

    /**
     * Returns what makes a process.
     *
     * @throws IllegalArgumentException if the class is not there, is no process, or has no constructor without parameters
     */
    Supplier<Process> process(String className) {
        Class<? extends Process> type = find(className, Process.class, "dev.treadle.Process");
        return () -> make(type);
    }

    /**
     * Lets a class register handlers: it is a {@code Consumer<CommandRegistry>}.
     *
     * @throws IllegalArgumentException if the class is not there, is no such consumer, or has no constructor without parameters
     */
    @SuppressWarnings(
            "unchecked") // the compiler forgets of what; a wrong one fails with a ClassCastException that says so
    void register(String className, CommandRegistry registry) {
        ((Consumer<CommandRegistry>) make(find(className, Consumer.class, "Consumer<CommandRegistry>")))
                .accept(registry);
    }

    /**
     * Makes an object of a class.
     *
     * @param type what it must be
     * @throws IllegalArgumentException if the class is not there, is no such type, or has no constructor without parameters
     */
    public <T> T make(String className, Class<T> type) {
        return make(find(className, type, type.getName()));
    }

    private <T> Class<? extends T> find(String className, Class<T> type, String shown) {
        Class<?> found;
        try {
            found = Class.forName(className, true, loader);
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(
                    "class " + className + " was not found in "
                            + (classPath.isEmpty() ? "an empty class path" : classPath)
                            + ": correct the name, or add its jar to the class path",
                    e);
        } catch (LinkageError e) {
            throw new IllegalArgumentException("class " + className + " cannot be loaded: " + e, e);
        }
        if (!type.isAssignableFrom(found)) {
            throw new IllegalArgumentException(
                    "class " + className + " is no " + shown + ": let it implement it, or name another");
        }
        try {
            found.getDeclaredConstructor().setAccessible(true);
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(
                    "class " + className
                            + " has no constructor without parameters: add one; arguments come to init as input",
                    e);
        }
        return found.asSubclass(type);
    }

    private static <T> T make(Class<? extends T> type) {
        try {
            var constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(
                    "the constructor of " + type.getName() + " failed: " + e.getCause(), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot make a " + type.getName() + ": " + e, e);
        }
    }

    @Override
    public void close() throws IOException {
        loader.close();
    }
}
