// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle.simulation;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Runs the methods with {@link SimulationTest}. For JUnit; users write the annotation. */
public final class SimulationExtension implements InvocationInterceptor, ParameterResolver {
    /** Overrides how many seeds are run. */
    static final String SEEDS_PROPERTY = "treadle.simulation.seeds";

    private static final Path REPORTS = Path.of("target", "simulation");

    /** For JUnit. */
    public SimulationExtension() {}

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Simulation.class;
    }

    /** The method is not called with this one, but with others. */
    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return Simulation.seed(0);
    }

    @Override
    public void interceptTestMethod(
            Invocation<@Nullable Void> invocation,
            ReflectiveInvocationContext<Method> invocationContext,
            ExtensionContext context) {
        invocation.skip();
        Method method = invocationContext.getExecutable();
        SimulationTest settings = method.getAnnotation(SimulationTest.class);
        if (settings == null || method.getParameterCount() != 1 || method.getParameterTypes()[0] != Simulation.class) {
            throw new ExtensionConfigurationException(
                    "method " + method + " has @SimulationTest and other parameters than"
                            + " one Simulation, must have that alone: set it up and run it in the method");
        }
        int seeds = Integer.getInteger(SEEDS_PROPERTY, settings.seeds());
        if (seeds < 1) {
            throw new ExtensionConfigurationException(
                    "seeds of " + method + " was " + seeds + ", must be positive: it is how many runs there are");
        }
        SimulationFailure failure = explore(settings, seeds, simulation -> call(method, context, simulation));
        if (failure != null) {
            writePage(failure, context);
            throw failure;
        }
    }

    private static @Nullable SimulationFailure explore(SimulationTest settings, int seeds, Trial trial) {
        Exploration exploration =
                settings.preemptions() < 0 ? Exploration.mixed() : Exploration.preemptions(settings.preemptions());
        var explorer = new Explorer(trial, exploration);
        if (!settings.replay().isEmpty()) {
            return explorer.attempt(Choices.parse(settings.replay())).failure();
        }
        int threads = settings.threads() > 0
                ? settings.threads()
                : Runtime.getRuntime().availableProcessors();
        return explorer.explore(settings.firstSeed(), seeds, threads);
    }

    private static void call(Method method, ExtensionContext context, Simulation simulation) throws Throwable {
        Object instance = Modifier.isStatic(method.getModifiers()) ? null : newInstance(context);
        method.setAccessible(true);
        try {
            method.invoke(instance, simulation);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    /** Makes an instance as JUnit does: the constructor's parameters are resolved, an inner class gets its outer instance. */
    private static Object newInstance(ExtensionContext context) {
        Class<?> type = context.getRequiredTestClass();
        Constructor<?> constructor = type.getDeclaredConstructors()[0];
        boolean isInner = type.isMemberClass() && !Modifier.isStatic(type.getModifiers());
        if (!isInner) {
            return context.getExecutableInvoker().invoke(constructor);
        }
        List<Object> enclosing = context.getRequiredTestInstances().getEnclosingInstances();
        return context.getExecutableInvoker().invoke(constructor, enclosing.get(enclosing.size() - 1));
    }

    private static void writePage(SimulationFailure failure, ExtensionContext context) {
        Path file = REPORTS.resolve(context.getRequiredTestClass().getSimpleName() + "-"
                + context.getRequiredTestMethod().getName() + ".html");
        try {
            Files.createDirectories(REPORTS);
            failure.trace().writePage(file);
            context.publishReportEntry("simulation", file.toAbsolutePath().toString());
        } catch (IOException e) {
            failure.addSuppressed(e); // the report says all the same
        }
    }
}
