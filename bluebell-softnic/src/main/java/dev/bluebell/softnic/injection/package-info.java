/** Fault injection: counts events and draws faults, on devices that are configured for it. */
@NullMarked
package dev.bluebell.softnic.injection;

import org.jspecify.annotations.NullMarked;
