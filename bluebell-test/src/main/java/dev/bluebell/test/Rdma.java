package dev.bluebell.test;

import dev.bluebell.verbs.Device;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Injects a software ConnectX into a test parameter: a {@link Device}, a {@link TestDevice} that
 * the test can step, or an {@link RdmaPair}, two connected ends on one device. Each parameter has a
 * device of its own, which is closed after the test, or after all tests of the class if it is a
 * parameter of a {@code @BeforeAll} method. Devices reach each other only if each has an address
 * (option {@code listen=}) and {@link Time#REAL}.
 *
 * <p>A passing test fails if it leaks objects; those on a device of a whole class are not checked.
 *
 * <p>A failing test leaves an HTML page that shows what its own devices did, in {@code
 * target/bluebell} ({@code build/bluebell} with Gradle). JUnit's configuration parameter or system
 * property {@code bluebell.report} names another folder, or is {@code off}.
 */
@Documented
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RdmaExtension.class)
public @interface Rdma {

  /**
   * Options of the device, in the format of {@code soft:}, such as {@code loss=5%,seed=7}, {@code
   * fail=remote-access@3}, {@code adversary=7}. Shares are in percent, with or without the sign:
   * {@code loss=0.3} is 0.3 %.
   */
  String value() default "";

  /** How time passes on the device. Use {@link Time#REAL} if threads wait for each other. */
  Time time() default Time.VIRTUAL;

  /** Whether the test may leave objects open. */
  boolean mayLeak() default false;
}
