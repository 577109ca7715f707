/** What all objects of a device share: their lifetimes, their device, their memory. */
@NullMarked
package dev.bluebell.verbs.object;

import org.jspecify.annotations.NullMarked;
