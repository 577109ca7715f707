package dev.bluebell.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Names the capabilities that tests need; they are skipped on devices without them. Each is a field
 * of {@code mlx5_ifc.h: cmd_hca_cap} by its name, which must not be 0.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsCondition.class)
@interface Needs {
  String[] value();
}
