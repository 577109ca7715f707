package dev.bluebell.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Types in the modules' public API are themselves public API. The compiler can check this too, but
 * it would also complain about annotations, which no user needs.
 */
class ExportedTypesTest {
  private static final List<ModuleReference> OURS = ourModules();
  private static final Set<String> EXPORTED =
      OURS.stream()
          .flatMap(module -> exports(module.descriptor()))
          .collect(Collectors.toUnmodifiableSet());

  @Test
  void exportedClassesNameExportedTypesOnly() throws Exception {
    Set<String> hidden = new TreeSet<>();
    int looked = 0;
    for (ModuleReference module : OURS) {
      for (Class<?> type : exportedClasses(module)) {
        looked++;
        namedBy(type)
            .filter(named -> named.getName().startsWith("dev.bluebell."))
            .filter(named -> !isVisible(named))
            .forEach(named -> hidden.add(type.getName() + " names " + named.getName()));
      }
    }
    assertThat(looked).isGreaterThan(100);
    assertThat(hidden).isEmpty();
  }

  private static Stream<Class<?>> namedBy(Class<?> type) {
    List<Class<?>> named = new ArrayList<>(Arrays.asList(type.getInterfaces()));
    if (type.getSuperclass() != null && Modifier.isPublic(type.getSuperclass().getModifiers())) {
      named.add(type.getSuperclass());
    }
    for (Field field : type.getDeclaredFields()) {
      add(named, field, field.getType());
    }
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      add(named, constructor, constructor.getParameterTypes());
    }
    for (Method method : type.getDeclaredMethods()) {
      add(named, method, method.getReturnType());
      add(named, method, method.getParameterTypes());
      add(named, method, method.getExceptionTypes());
    }
    return named.stream().map(ExportedTypesTest::element);
  }

  private static void add(List<Class<?>> named, Member member, Class<?>... types) {
    int access = member.getModifiers();
    boolean reachable =
        Modifier.isPublic(access)
            || Modifier.isProtected(access)
                && !Modifier.isFinal(member.getDeclaringClass().getModifiers());
    if (reachable && !member.isSynthetic()) {
      named.addAll(Arrays.asList(types));
    }
  }

  private static Class<?> element(Class<?> type) {
    return type.isArray() ? element(type.getComponentType()) : type;
  }

  private static boolean isVisible(Class<?> type) {
    return EXPORTED.contains(type.getPackageName()) && isPublic(type);
  }

  private static boolean isPublic(Class<?> type) {
    Class<?> outer = type.getEnclosingClass();
    return (Modifier.isPublic(type.getModifiers()) || Modifier.isProtected(type.getModifiers()))
        && (outer == null || isPublic(outer));
  }

  private static List<Class<?>> exportedClasses(ModuleReference module) throws Exception {
    Set<String> exported = exports(module.descriptor()).collect(Collectors.toUnmodifiableSet());
    List<Class<?>> classes = new ArrayList<>();
    try (ModuleReader reader = module.open();
        Stream<String> names = reader.list()) {
      for (String name : names.filter(file -> file.endsWith(".class")).toList()) {
        String className = name.substring(0, name.length() - ".class".length()).replace('/', '.');
        int dot = className.lastIndexOf('.');
        if (dot > 0 && exported.contains(className.substring(0, dot))) {
          Class<?> type = Class.forName(className, false, ExportedTypesTest.class.getClassLoader());
          if (isPublic(type)) {
            classes.add(type);
          }
        }
      }
    }
    return classes;
  }

  private static Stream<String> exports(ModuleDescriptor descriptor) {
    return descriptor.exports().stream()
        .filter(export -> !export.isQualified())
        .map(ModuleDescriptor.Exports::source);
  }

  private static List<ModuleReference> ourModules() {
    Path[] classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> entry.contains("bluebell-") && !entry.endsWith("test-classes"))
            .map(Path::of)
            .toArray(Path[]::new);
    return ModuleFinder.of(classPath).findAll().stream()
        .filter(module -> module.descriptor().name().startsWith("dev.bluebell."))
        .toList();
  }
}
