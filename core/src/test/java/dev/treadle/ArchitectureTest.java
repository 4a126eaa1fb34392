// SPDX-License-Identifier: Apache-2.0
// Copyright the Treadle authors
package dev.treadle;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.codeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.GeneralCodingRules;
import java.lang.invoke.VarHandle;
import java.util.Set;
import java.util.stream.Stream;

/** Holds the compiled code of this module to the rules that the compiler does not know. */
@AnalyzeClasses(packages = "dev.treadle", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule coreUsesOnlyTheJdk = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "org.jspecify..", "dev.treadle..")
            .because("the core has no dependency, and sun.misc.Unsafe is not an API");

    @ArchTest
    static final ArchRule queuesKnowNothingOfTheirUsers = noClasses()
            .that()
            .resideInAPackage("dev.treadle.queue..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.treadle")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule nothingIsPrinted = GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;

    @ArchTest
    static final ArchRule nothingSleeps = noClasses()
            .should()
            .callMethodWhere(calls(Thread.class, "sleep"))
            .because("a worker is woken, it does not poll");

    @ArchTest
    static final ArchRule memoryModesAreNamed = noClasses()
            .should()
            .callMethodWhere(calls(VarHandle.class, "get", "set").and(outsideConstructors()))
            .because("on a volatile field they are plain accesses that look like volatile ones");

    @ArchTest
    static final ArchRule namesSayWhatAThingIs = noClasses()
            .should()
            .haveNameMatching(".*(Manager|Helper|Utils?|Impl|Base)")
            .because("such a suffix says nothing of what the class does");

    @ArchTest
    static final ArchRule theApiShowsOnlyPublicTypes = codeUnits()
            .that()
            .arePublic()
            .and()
            .areDeclaredInClassesThat()
            .arePublic()
            .should(new ArchCondition<>("mention only public types") {
                @Override
                public void check(JavaCodeUnit unit, ConditionEvents events) {
                    Stream.concat(Stream.of(unit.getRawReturnType()), unit.getRawParameterTypes().stream())
                            .map(JavaClass::getBaseComponentType)
                            .filter(type -> type.getPackageName().startsWith("dev.treadle"))
                            .filter(type -> !type.getModifiers().contains(JavaModifier.PUBLIC))
                            .forEach(type -> events.add(SimpleConditionEvent.violated(
                                    unit, unit.getFullName() + " shows the hidden " + type.getName())));
                }
            });

    private static DescribedPredicate<JavaCall<?>> calls(Class<?> owner, String... names) {
        Set<String> wanted = Set.of(names);
        return DescribedPredicate.describe(
                owner.getSimpleName() + " " + String.join("/", names),
                call -> call.getTargetOwner().isEquivalentTo(owner) && wanted.contains(call.getName()));
    }

    private static DescribedPredicate<JavaCall<?>> outsideConstructors() {
        return DescribedPredicate.describe(
                "outside constructors", call -> !call.getOrigin().isConstructor());
    }
}
