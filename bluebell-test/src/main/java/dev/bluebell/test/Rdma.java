package dev.bluebell.test;

import dev.bluebell.verbs.Device;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A parameter of a test that gets a software ConnectX: a {@link Device}, a {@link TestDevice} for
 * who steps it, or an {@link RdmaPair}, two connected ends on one device. Each parameter has a
 * device of its own, which is closed after the test. Devices do not reach each other.
 *
 * <p>At the end of a test that passed, everything that it created and did not close is a failure.
 *
 * <p>A test that fails leaves a page for a browser, which shows what its devices did, in {@code
 * target/bluebell} ({@code build/bluebell} with Gradle). The configuration parameter {@code
 * bluebell.report} of JUnit, also as a system property, names another folder, or is {@code off}.
 */
@Documented
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RdmaExtension.class)
public @interface Rdma {

  /**
   * Options of the device, as {@code soft:} takes them: {@code loss=5%,seed=7}, {@code
   * fail=remote-access@3}, {@code adversary=7}.
   */
  String value() default "";

  /**
   * How time passes on the device. {@link Time#REAL} for programs whose threads wait for each
   * other.
   */
  Time time() default Time.VIRTUAL;

  /** Whether the test may leave open what it creates. */
  boolean mayLeak() default false;
}
