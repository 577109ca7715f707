package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.RuntimeInvisibleAnnotationsAttribute;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A stage whose result is dropped compiles, but Error Prone refuses it: it honors every annotation
 * named CheckReturnValue, on methods and on the types that declare them.
 */
class StagesAreNotDroppedTest {
  private static final String ANNOTATION = CheckReturnValue.class.descriptorString();
  private static final Path CLASSES =
      Path.of(System.getProperty("basedir", ""))
          .toAbsolutePath()
          .resolve("target/classes/dev/bluebell/verbs");

  @Test
  void everyMethodThatReturnsAStageSaysThatItMustBeUsed() throws IOException {
    Map<String, ClassModel> types = types();
    assertThat(
            types.values().stream()
                .filter(type -> type.flags().has(AccessFlag.PUBLIC) && !isMarked(type))
                .flatMap(
                    type ->
                        type.methods().stream()
                            .filter(method -> returnsStage(method, types) && !isMarked(method))
                            .map(method -> name(type) + "." + method.methodName().stringValue())))
        .isEmpty();
    assertThat(isMarked(types.get("Ldev/bluebell/verbs/RequestEnd;"))).isTrue();
  }

  private static boolean returnsStage(MethodModel method, Map<String, ClassModel> types) {
    ClassModel returned = types.get(method.methodTypeSymbol().returnType().descriptorString());
    boolean isPublic = method.flags().has(AccessFlag.PUBLIC);
    boolean isWritten = !method.flags().has(AccessFlag.SYNTHETIC);
    return isPublic && isWritten && returned != null && isMarked(returned);
  }

  private static boolean isMarked(ClassModel type) {
    return isMarked(type.findAttribute(Attributes.runtimeInvisibleAnnotations()));
  }

  private static boolean isMarked(MethodModel method) {
    return isMarked(method.findAttribute(Attributes.runtimeInvisibleAnnotations()));
  }

  private static boolean isMarked(Optional<RuntimeInvisibleAnnotationsAttribute> attribute) {
    return attribute.stream()
        .flatMap(all -> all.annotations().stream())
        .anyMatch(annotation -> annotation.className().equalsString(ANNOTATION));
  }

  private static String name(ClassModel type) {
    return type.thisClass().asSymbol().displayName();
  }

  private static Map<String, ClassModel> types() throws IOException {
    try (Stream<Path> files = Files.list(CLASSES)) {
      return files
          .filter(file -> file.toString().endsWith(".class"))
          .map(StagesAreNotDroppedTest::parse)
          .collect(
              Collectors.toMap(
                  type -> type.thisClass().asSymbol().descriptorString(), type -> type));
    }
  }

  private static ClassModel parse(Path file) {
    try {
      return ClassFile.of().parse(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
