package dev.bluebell.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Marks tests that wait for messages of an unreliable service. What a fabric loses of them is never
 * sent again, so bindings to a fabric that loses packets exclude the tag {@value #TAG}.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag(ExpectsDelivery.TAG)
public @interface ExpectsDelivery {
  String TAG = "delivery";
}
