package dev.bluebell.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Marks a test in which each message of an unreliable service must arrive exactly once. Lost
 * messages are not retransmitted, so bindings to a lossy fabric exclude the tag {@value #TAG}.
 * Tests that can resend use {@link Bench#awaitDelivery} and need no mark.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Tag(ExpectsDelivery.TAG)
public @interface ExpectsDelivery {
  String TAG = "delivery";
}
